-- What is said of a part, for searches: `180 mm`, and not what the attribute is called. Words of two values do not become one across three spaces.
create or replace function specified_text(part text, part_category text) returns text language sql stable as $$
  select coalesce(string_agg(
    case
      when low is null then value.text
      when low = high then low::text || ' ' || coalesce(unit, '')
      else low::text || '-' || high::text || ' ' || coalesce(unit, '')
    end, '   ' order by position), '')
  from part_attributes as value join attributes on attributes.id = attribute_id
  where part_id = part and kind <> 'yesNo' and (category = '' or name_key(category) = name_key(part_category))
$$;

-- The step of 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120 and so on at or below a number.
create or replace function filter_step(number double precision) returns double precision language sql immutable strict as $$
  select case
    when number = 0 then 0
    when number < 0 then -1
    else (select max(step) from unnest(array[1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8]) as series (base),
      lateral (select base * power(10::numeric, floor(log(number::numeric)))) as scaled (step) where step <= number::numeric)::double precision
  end
$$;

create or replace function list_filters(parts_listed text[]) returns table (part_id text, key text, value text, low double precision)
language sql stable as $$
  with specified as (
    select stored.part_id, attributes.key, kind, stored.text, stored.low, high
    from part_attributes as stored join attributes on attributes.id = attribute_id join parts on parts.id = stored.part_id
    where stored.part_id = any(parts_listed) and is_filter
      and (attributes.category = '' or name_key(attributes.category) = name_key(parts.category))
  )
  select part_id, key,
    case
      when low is null then text
      when kind = 'yesNo' then case when low = 1 then 'yes' else 'no' end
      when low = high then low::text
      else low::text || '..' || high::text
    end, low
  from specified
  union all
  select part_id, key, '~' || filter_step(low)::text, filter_step(low) from specified where kind = 'number'
$$;

create or replace function refresh_filters(parts_listed text[]) returns void language plpgsql as $$
begin
  insert into filter_values (key, value, low)
    select distinct key, value, low from list_filters(parts_listed) order by key, value
  on conflict do nothing;
  update part_words set filters = coalesce(found.filters, '{}')
  from unnest(parts_listed) as listed (id) left join (
    select part_id, array_agg(filter_values.id order by filter_values.id) as filters
    from list_filters(parts_listed) join filter_values using (key, value) group by part_id
  ) as found on found.part_id = listed.id
  where part_words.part_id = listed.id and part_words.filters is distinct from coalesce(found.filters, '{}');
end $$;

create or replace function specify_parts() returns trigger language plpgsql as $$
declare
  changed text[] := array(select distinct part_id from changed_specifications order by part_id);
begin
  if cardinality(changed) > 0 then
    update part_words set words = weigh_part_words(parts.name, parts.brand, parts.category, short_description, description, part_number)
      || weigh_words(specified_text(id, parts.category), 'D', false)
    from parts where id = part_id and part_id = any(changed);
    perform refresh_filters(changed);
  end if;
  return null;
end $$;

create or replace function filter_by_attribute() returns trigger language plpgsql as $$
begin
  perform refresh_filters(array(select part_id from part_attributes where attribute_id = new.id order by part_id));
  return null;
end $$;

create or replace trigger specify_added after insert on part_attributes referencing new table as changed_specifications
  for each statement execute function specify_parts();
create or replace trigger specify_changed after update on part_attributes referencing new table as changed_specifications
  for each statement execute function specify_parts();
create or replace trigger specify_removed after delete on part_attributes referencing old table as changed_specifications
  for each statement execute function specify_parts();
create or replace trigger filter_by_attribute after update of is_filter, key on attributes for each row
  when ((old.is_filter, old.key) is distinct from (new.is_filter, new.key)) execute function filter_by_attribute();
