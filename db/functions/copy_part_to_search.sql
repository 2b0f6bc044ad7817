create or replace function search_words_and_number(search tsvector, part_number_key text) returns tsvector language sql immutable strict parallel safe
return search || array_to_tsvector(array['#' || part_number_key]);

create or replace function copy_part_to_search() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    delete from part_search where part_id = new.id;
  else
    insert into part_search values (new.number, new.per_unit_price, new.min_quantity, new.available,
      search_words_and_number(new.search, new.part_number_key), new.brand, new.category, new.name, new.id)
    on conflict (part_id) do update set per_unit_price = excluded.per_unit_price, min_quantity = excluded.min_quantity,
      available = excluded.available, search = excluded.search, brand = excluded.brand, category = excluded.category, name = excluded.name;
  end if;
  return null;
end $$;
