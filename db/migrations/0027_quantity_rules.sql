-- Existing parts are numbered in the order in which they were added.
create sequence part_numbers start 1001;

alter table parts
  add column part_number text,
  add column multiple integer not null default 1 check (multiple between 1 and 1000000),
  add column carton_size integer check (carton_size between 2 and 1000000),
  add column price_breaks jsonb not null default '[]'
    check (jsonb_typeof(price_breaks) = 'array' and jsonb_array_length(price_breaks) <= 10);

update parts set part_number = 'WW-' || (1000 + numbered.place)
  from (select id, row_number() over (order by number) as place from parts) numbered
  where numbered.id = parts.id;
select setval('part_numbers', 1001 + count(*), false) from parts;

-- Skips what admins have entered.
create function next_part_number(prefix text) returns text language plpgsql as $$
declare
  candidate text;
begin
  loop
    candidate := prefix || nextval('part_numbers');
    exit when not exists (
      select from parts where upper(part_number) = upper(candidate) and deleted_at is null
    );
  end loop;
  return candidate;
end $$;

alter table parts
  alter column part_number set default 'WW-' || nextval('part_numbers'),
  alter column part_number set not null,
  add check (part_number ~ '^[A-Za-z0-9./-]{1,40}$' and part_number ~ '[A-Za-z0-9]'),
  -- Compared without punctuation: people leave it out, or replace it.
  add column part_number_key text not null
    generated always as (upper(regexp_replace(part_number, '[^A-Za-z0-9]', '', 'g'))) stored;

create unique index parts_live_part_number on parts (upper(part_number)) where deleted_at is null;
create index parts_part_number_key on parts (part_number_key text_pattern_ops) where deleted_at is null;

-- Whether a part is sold out also depends on the multiple.
drop index parts_facets;
create index parts_facets on parts (brand, category, per_unit_price, available_quantity, min_quantity, multiple)
  where deleted_at is null;
