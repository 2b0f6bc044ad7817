-- Makes the words of what is searched and of searches. Letters and digits are words apart; `joint` tells how a word and the next one belong together, and `glue` what
-- stands between them as one word: `glued` as in 12s and 31.8, `near` as in 12-speed and 12 x 148 mm, `joined` as in on/off. A `light` word means little, such as "the".
-- Signs are a word where a text or a word begins with them; a search for nothing but signs finds these.
create or replace function cut_words(words text)
returns table (place integer, word text, stem text, light boolean, joint text, glue text)
language plpgsql immutable strict parallel safe as $$
#variable_conflict use_column
begin
  return query with folded as materialized (select fold_text(words) as text),
  plain as (
    select translate(case when octet_length(text) = length(text) then text else regexp_replace(text, '[\u0080-\u00bf\u00d7\u00f7\u02c2-\u02c5\u02d2-\u02df\u0375\u037e\u0384\u0385\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e3f\u0e4f\u0e5a\u0e5b\u1680\u2000-\u206f\u20a0-\u20cf\u2100-\u2131\u2133-\u2182\u2190-\u22ff\u2301-\u2bff\u2e00-\u2e7f\u2ff0-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30fb\ufd3e\ufd3f\ufe10-\ufe19\ufe30-\ufe6f\uff5f-\uff65\ufff0-\uffff\U0001f000-\U0001faff]', ' ', 'g') end, '{|}~', '    ') as text
    from folded
  ),
  pieces as (
    -- Without groups, which would take four times as long.
    select found.place, left(found.match[1], 60) collate "C" as piece,
      lead(found.match[1]) over pieces collate "C" as second, lead(found.match[1], 2) over pieces collate "C" as third
    from plain, regexp_matches(text, '[0-9]+|[^\u0001-\u0060]+|[\u0001-\u002f\u003a-\u0060]+', 'g') with ordinality as found (match, place)
    window pieces as (order by found.place)
  ),
  cut as (
    select place, piece as word, piece < ':' as is_number,
      case when second >= 'a' or second between '0' and '9~' then '' else second end as between_words,
      case when second >= 'a' or second between '0' and '9~' then second else third end as next
    from pieces where piece >= 'a' or piece between '0' and '9~'
  )
  select place::integer, translate(word, '⌀', 'o'), translate(coalesce(stems[1], word), '⌀', 'o'),
    word = '⌀' or coalesce(stems = '{}', false),
    case
      when next is null or word = '⌀' then null
      when is_number and next < ':' then case when between_words in ('.', ',') then 'glued' end
      when is_number <> (next < ':') and between_words = '' then 'glued'
      when is_number <> (next < ':') and length(between_words) <= 2 and (is_number or between_words <> ' ' or length(word) <= 3) then 'near'
      when not is_number and next >= ':' and length(between_words) <= 2 and strpos(between_words, ' ') = 0 then 'joined'
    end,
    case when is_number and next < ':' then '.' else '' end
  from cut, lateral (select case when not is_number then ts_lexize('english_stem', word) end as stems) as stemmed
  union all
  select (20000 + found.place)::integer, match[1], match[1], false, null, ''
  from folded, regexp_matches(text, '(?:^|\s)([\u0021-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u02c2-\u02c5\u02d2-\u02df\u0375\u037e\u0384\u0385\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e3f\u0e4f\u0e5a\u0e5b\u1680\u2000-\u206f\u20a0-\u20cf\u2100-\u2131\u2133-\u2182\u2190-\u22ff\u2301-\u2bff\u2e00-\u2e7f\u2ff0-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30fb\ufd3e\ufd3f\ufe10-\ufe19\ufe30-\ufe6f\uff5f-\uff65\ufff0-\uffff\U0001f000-\U0001faff]{1,20})', 'g') with ordinality as found (match, place);
end $$;
