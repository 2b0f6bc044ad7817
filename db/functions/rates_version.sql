-- Of the settings from which orders are charged, as `readRates` in shop/charges/charge-order.server.ts has it.
create or replace function rates_version() returns text language sql stable as $$
  select coalesce((select version from settings where section = 'company'), 0) || '.'
    || coalesce((select version from settings where section = 'deliveryAndTax'), 0)
$$;
