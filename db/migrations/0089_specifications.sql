-- What can be said of parts beyond their fields, by category; an empty one is all parts.
create table attributes (
  id text primary key,
  number bigserial not null,
  -- In addresses; it stays when the name changes. Attributes of two categories may share one.
  key text not null,
  category text not null,
  name text not null,
  kind text not null check (kind in ('text', 'number', 'range', 'choice', 'yesNo')),
  unit text,
  choices text[] not null default '{}',
  position integer not null,
  is_filter boolean not null default false
);

-- What parts have of them: a text, or numbers in the attribute's unit.
create table part_attributes (
  part_id text not null references parts on delete cascade,
  attribute_id text not null references attributes on delete cascade,
  text text not null default '',
  low double precision,
  high double precision,
  source text not null default '',
  date date,
  note text not null default '',
  primary key (part_id, attribute_id)
);
create index part_attributes_attribute on part_attributes (attribute_id);

-- Pages show them.
create trigger report_change after insert or update or delete or truncate on attributes
  for each statement execute function report_review_change();
create trigger report_change after insert or update or delete or truncate on part_attributes
  for each statement execute function report_review_change();
