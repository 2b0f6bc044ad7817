-- A name is taken when another part has its key. Parts that had the same key before that was so keep theirs until they are renamed.
create or replace function copy_part_to_words() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    delete from part_words where part_id = new.id;
    return null;
  end if;
  -- Making words takes a millisecond, and prices change by thousands.
  if tg_op = 'UPDATE' and (new.name, new.brand, new.category, new.short_description, new.description, new.part_number)
    is not distinct from (old.name, old.brand, old.category, old.short_description, old.description, old.part_number) then
    update part_words set per_unit_price = new.per_unit_price, min_quantity = new.min_quantity, available = new.available
    where part_id = new.id;
    if found then
      return null;
    end if;
  end if;
  insert into part_words as stored (number, per_unit_price, min_quantity, available, brand, category, name, part_id, name_key, name_order, words)
    values (new.number, new.per_unit_price, new.min_quantity, new.available, new.brand, new.category, new.name, new.id,
      name_key(new.name), name_order(new.name),
      weigh_part_words(new.name, new.brand, new.category, new.short_description, new.description, new.part_number)
        || weigh_words(specified_text(new.id, new.category), 'D', false))
    on conflict (part_id) do update set per_unit_price = excluded.per_unit_price, min_quantity = excluded.min_quantity,
      available = excluded.available, brand = excluded.brand, category = excluded.category, name = excluded.name,
      name_key = case when stored.name = excluded.name then stored.name_key else excluded.name_key end,
      name_order = excluded.name_order, words = excluded.words;
  -- What belongs to another category is no filter any more.
  if tg_op = 'UPDATE' and new.category <> old.category then
    perform refresh_filters(array[new.id]);
  end if;
  insert into facet_names
    select name, name_key(name) from unnest(array[new.brand, new.category]) as name where name <> '' order by name
  on conflict do nothing;
  return null;
end $$;
