-- Sorts names by their words, and numbers in them by value, in any collation: a number is preceded by its length, but not behind a decimal point.
create or replace function name_order(name text) returns text language sql immutable strict parallel safe as $$
  select left(coalesce(string_agg(
    case
      when word ~ '^[0-9]' and before is distinct from '.' then to_char(length(ltrim(word, '0')), 'FM00') || ltrim(word, '0')
      else word
    end, ' ' order by place
  ), ''), 300)
  from (select place, word, lag(glue) over (order by place) as before from cut_words(name)) as cut
$$;
