create or replace function words_of(name text, brand text, category text, short_description text) returns setof text
language sql immutable parallel safe
return unnest(tsvector_to_array(
  to_tsvector('whole_words', plain_words(concat_ws(' ', name, brand, category, short_description)))
));

create or replace function learn_words() returns trigger language plpgsql as $$
begin
  -- In order, so that two parts that are added at once never wait for each other's words in a circle.
  insert into search_words
    select word from words_of(new.name, new.brand, new.category, new.short_description) as word
    where length(word) >= 3 and word !~ '\d' order by word
  on conflict do nothing;
  return null;
end $$;
