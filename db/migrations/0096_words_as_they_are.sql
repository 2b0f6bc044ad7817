-- A search reads the words of all parts that it finds: to decompress them took most of its time. Longer ones stay in the row, too.
alter table part_words alter column words set storage external, set (toast_tuple_target = 8160);

-- Each row is written again, and the words of specifications without those that ended one value and began the next.
update part_words set words = weigh_part_words(parts.name, parts.brand, parts.category, short_description, description, part_number)
  || weigh_words(coalesce(specified.text, ''), 'D', false)
from parts left join lateral (
  select string_agg(
    case
      when low is null then value.text
      when low = high then low::text || ' ' || coalesce(unit, '')
      else low::text || '-' || high::text || ' ' || coalesce(unit, '')
    end, '   ' order by position) as text
  from part_attributes as value join attributes on attributes.id = attribute_id
  where part_id = parts.id and kind <> 'yesNo' and (attributes.category = '' or name_key(attributes.category) = name_key(parts.category))
) as specified on true
where parts.id = part_words.part_id;
