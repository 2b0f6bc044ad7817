-- Files that were changed after they had been applied: brings databases of the older ones up to date, and does nothing to others.

-- 0001_shop.sql
create table if not exists installation (
  one boolean primary key check (one),
  fingerprint text not null
);

-- 0040_place_orders.sql
drop function if exists place_orders(jsonb);

do $$
begin
  -- 0016_photos.sql
  if pg_get_indexdef('users_photo_to_copy'::regclass) like '%(number)%' then
    drop index users_photo_to_copy;
    create index users_photo_to_copy on users (id) where photo_source is not null and photo_url is null;
  end if;

  -- 0044_stock_without_index.sql
  if not exists (
    select from information_schema.columns
    where table_schema = current_schema and table_name = 'parts' and column_name = 'available'
  ) then
    drop index parts_facets;
    alter table parts add column available boolean not null
      generated always as (available_quantity >= (min_quantity + multiple - 1) / multiple * multiple) stored;
    create index parts_facets on parts (brand, category, per_unit_price, min_quantity, available) where deleted_at is null;
    alter table parts reset (fillfactor);
    execute $function$
      create or replace function report_part_change() returns trigger language plpgsql as $body$
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
      end $body$
    $function$;
  end if;
end $$;
