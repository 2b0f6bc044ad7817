-- The words of a text with their weight: as they stand, by their stems, and, where up to six belong together, each with those that follow it as one word: 12s
-- finds 12-speed, and 12x148 finds 12 x 148 mm. One such as onoff of on/off weighs less, or a/b would precede an AB-wheel for ab. Light words and signs are kept
-- of names, of which they may be all there is.
create or replace function weigh_words(words text, weight text, is_name boolean) returns tsvector
language plpgsql immutable strict parallel safe as $$
begin
  return (with cut as (
    select place, word, stem, light, joint,
      case when joint is not null then word || glue || lead(word) over following end as pair,
      case when lead(joint, 1) over following is not null then lead(glue, 1) over following || lead(word, 2) over following end as third,
      case when lead(joint, 2) over following is not null then lead(glue, 2) over following || lead(word, 3) over following end as fourth,
      case when lead(joint, 3) over following is not null then lead(glue, 3) over following || lead(word, 4) over following end as fifth,
      case when lead(joint, 4) over following is not null then lead(glue, 4) over following || lead(word, 5) over following end as sixth
    from cut_words(words)
    window following as (order by place)
  ),
  lexemes as (
    select place, lexeme, case when nr > 2 and joint = 'joined' and weight = 'A' then 'B' else weight end as weighed from cut, unnest(array[
      case when is_name or not light then word end,
      case when is_name or not light then stem end,
      pair,
      -- Whatever is added to null is null.
      coalesce(pair || third || fourth || fifth || sixth, pair || third || fourth || fifth, pair || third || fourth, pair || third)
    ]) with ordinality as made (lexeme, nr)
    where lexeme is not null and (is_name or place < 20000)
  )
  select coalesce(string_agg(
    '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''':' || case when place < 16000 then place else 1 end || weighed, ' '
  ), '')::tsvector
  from lexemes);
end $$;

-- The part number without punctuation is a word that begins with #; what follows its first letters, such as CN12 of WW-CN12, one that begins with ~.
create or replace function weigh_part_words(
  name text, brand text, category text, short_description text, description text, part_number text
) returns tsvector language plpgsql immutable strict parallel safe as $$
begin
  return weigh_words(name, 'A', true) || weigh_words(brand || ' ' || category, 'B', true) || weigh_words(short_description, 'C', false)
    || weigh_words(description, 'D', false)
    || array_to_tsvector(array(
      select '#' || regexp_replace(upper(part_number collate "C"), '[^A-Z0-9]', '', 'g')
      union
      select '~' || regexp_replace(upper(substr(part_number, place) collate "C"), '[^A-Z0-9]', '', 'g')
      from generate_series(2, length(part_number)) as place
      where substr(part_number, place - 1, 1) ~ '[./-]' and length(part_number) - place >= 2
    ));
end $$;
