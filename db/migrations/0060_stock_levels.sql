-- Sorts parts by stock without an index of the stock, which each order would change: a level is left when a fifth of the stock is sold.
alter table parts add column stock_level smallint not null
  generated always as (floor(4 * ln(available_quantity + 1::float8))::smallint) stored;
create index parts_stock_level on parts (stock_level) where deleted_at is null;

create or replace function report_part_change() returns trigger language plpgsql as $$
declare
  kind text := 'content';
begin
  if tg_op = 'UPDATE' then
    old.available_quantity := new.available_quantity;
    old.available := new.available;
    old.stock_level := new.stock_level;
    if old is not distinct from new then
      kind := 'stock';
    end if;
  end if;
  raise info using message = 'changed', errcode = 'WW001', detail = kind || ' ' || coalesce(new.id, old.id);
  return null;
end $$;
