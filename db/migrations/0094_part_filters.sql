-- The values by which the catalogue can be filtered, by the keys of their attributes. One that no part has any more finds nothing.
create table filter_values (
  id serial primary key,
  key text not null,
  value text not null,
  -- Of a number, which has two: itself, and the step of a fixed scale that it is on, whose value begins with ~.
  low double precision,
  unique (key, value)
);

alter table part_words add column filters integer[] not null default '{}';
create index part_words_filters on part_words using gin (filters);
create index part_words_category on part_words (category) include (brand, per_unit_price, min_quantity, available, filters);
