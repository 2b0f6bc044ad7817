-- What searches read of each part that is not deleted, in a third of the pages of `parts`: a word may match a third of them. `search` also has
-- the part number without punctuation, as a word that begins with #. No workers in parallel, which would take the processors from other searches.
create table part_search (
  number bigint not null,
  per_unit_price integer not null,
  min_quantity integer not null,
  available boolean not null,
  search tsvector not null,
  brand text not null,
  category text not null,
  name text not null,
  part_id text primary key references parts on delete cascade
) with (fillfactor = 90, parallel_workers = 0);

create function search_words_and_number(search tsvector, part_number_key text) returns tsvector language sql immutable strict parallel safe
return search || array_to_tsvector(array['#' || part_number_key]);

create function copy_part_to_search() returns trigger language plpgsql as $$
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

create trigger search_added_part after insert on parts for each row execute function copy_part_to_search();
create trigger search_changed_part after update of
    name, short_description, description, brand, category, min_quantity, multiple, per_unit_price, part_number, deleted_at
  on parts for each row execute function copy_part_to_search();
-- Few orders change it, and each compares this column alone, not the words.
create trigger search_sold_out_part after update of available_quantity on parts for each row
  when (old.available is distinct from new.available) execute function copy_part_to_search();

insert into part_search
  select number, per_unit_price, min_quantity, available, search_words_and_number(search, part_number_key), brand, category, name, id
  from parts where deleted_at is null order by number;
create index part_search_words on part_search using gin (search);
