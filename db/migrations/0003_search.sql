-- What finding parts by words needs. Readers select the columns that db/schema.ts declares: `search` is not one of them,
-- and neither are the words below. Both are for the database alone.
create extension if not exists pg_trgm;

-- Words as they stand, without those that mean nothing: what somebody is still typing is the beginning of one of these.
create text search dictionary whole_words (template = simple, stopwords = english);
create text search configuration whole_words (copy = simple);
alter text search configuration whole_words
  alter mapping for asciihword, asciiword, hword, hword_asciipart, hword_numpart, hword_part, numhword, numword, word
  with whole_words;

-- Punctuation divides words, and so does a measure: `12x148mm` reads `12 x 148 mm`. shop/parts/typed.ts does the same.
create function plain_words(words text) returns text language sql immutable strict parallel safe
return regexp_replace(
  translate(words, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)), '(\d)(mm?|x)(?![a-z])', '\1 \2 ', 'gi'
);

-- Each word twice: by its stem, so that `chains` finds a chain, and whole.
create function searchable(words text) returns tsvector language sql immutable strict parallel safe
return to_tsvector('english', plain_words(words)) || to_tsvector('whole_words', plain_words(words));

alter table parts add column search tsvector not null generated always as (
  setweight(searchable(name), 'A')
  || setweight(searchable(brand || ' ' || category), 'B')
  || setweight(searchable(short_description), 'C')
  || setweight(searchable(description), 'D')
) stored;

create index parts_search on parts using gin (search) where deleted_at is null;

create index parts_name on parts (name, number) where deleted_at is null;
create index parts_price on parts (per_unit_price, number) where deleted_at is null;
-- Facets of everything are counted from this index alone.
create index parts_facets on parts (brand, category, per_unit_price, available_quantity, min_quantity)
  where deleted_at is null;

-- The words that a slip of the finger may have meant. One that no part has any more does no harm: it finds nothing.
create table search_words (word text primary key);
create index search_words_alike on search_words using gin (word gin_trgm_ops);

create function words_of(name text, brand text, category text, short_description text) returns setof text
language sql immutable parallel safe
return unnest(tsvector_to_array(
  to_tsvector('whole_words', plain_words(concat_ws(' ', name, brand, category, short_description)))
));

create function learn_words() returns trigger language plpgsql as $$
begin
  -- In order, so that two parts that are added at once never wait for each other's words in a circle.
  insert into search_words
    select word from words_of(new.name, new.brand, new.category, new.short_description) as word
    where length(word) >= 3 and word !~ '\d' order by word
  on conflict do nothing;
  return null;
end $$;

create trigger learn_words after insert or update of name, brand, category, short_description on parts
  for each row execute function learn_words();

insert into search_words
  select distinct word from parts, words_of(name, brand, category, short_description) as word
  where length(word) >= 3 and word !~ '\d';
