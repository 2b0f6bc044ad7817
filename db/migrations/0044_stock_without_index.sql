-- Every order changes the stock of its parts. As long as it is in no index, the indexes of parts stay as they are; whether a part can be
-- ordered rarely changes.
drop index parts_facets;
alter table parts add column available boolean not null
  generated always as (available_quantity >= (min_quantity + multiple - 1) / multiple * multiple) stored;
create index parts_facets on parts (brand, category, per_unit_price, min_quantity, available) where deleted_at is null;

-- A search for orders finds those of deleted parts, too.
drop index parts_part_number_key;
create index parts_part_number_key on parts (part_number_key text_pattern_ops);

create index parts_min_quantity on parts (min_quantity, number) where deleted_at is null;

-- Stock and what is computed from it.
create or replace function report_part_change() returns trigger language plpgsql as $$
declare
  kind text := 'content';
begin
  if tg_op = 'UPDATE' then
    old.available_quantity := new.available_quantity;
    old.available := new.available;
    if old is not distinct from new then
      kind := 'stock';
    end if;
  end if;
  raise info using message = 'changed', errcode = 'WW001', detail = kind || ' ' || coalesce(new.id, old.id);
  return null;
end $$;
