-- The day by which an order is promised to ship, as it was when it was paid; null for older ones.
alter table orders add column ship_by date;

-- Behind whatever columns the view has.
do $$
begin
  execute 'create or replace view purchases as '
    || regexp_replace(pg_get_viewdef('purchases'::regclass), '\s+FROM \(?order_lines', ', o.ship_by\&');
end $$;
