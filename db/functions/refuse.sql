-- Keeps rows that are only ever added to: those of the ledger, of the events of orders, of shares of refunds and of invoices.
create or replace function refuse() returns trigger language plpgsql as $$
begin
  raise exception '% is only added to', tg_table_name;
end
$$;
