-- In order, so that two parts that are added at once never wait for each other's words in a circle.
create or replace function learn_words() returns trigger language plpgsql as $$
begin
  insert into search_words
    select distinct word from cut_words(concat_ws(' ', new.name, new.brand, new.category, new.short_description)) as cut
    where length(word) >= 3 and not light and place < 20000 and word !~ '^[0-9]' order by word
  on conflict do nothing;
  return null;
end $$;
