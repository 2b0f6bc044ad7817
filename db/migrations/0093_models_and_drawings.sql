create function report_content_change() returns trigger language plpgsql as $$
begin
  raise info using message = 'changed', errcode = 'WW001', detail = 'content';
  return null;
end $$;

-- Parts to turn, as glTF in one binary file each.
create table part_models (
  part_id text primary key references parts on delete cascade,
  -- SHA-256 of the file, its address.
  hash text not null,
  file bytea not null,
  size integer not null,
  triangles integer not null,
  uploaded_at timestamptz not null
);
create index part_models_hash on part_models (hash);

-- Pictures of several parts, each with its number at its place.
create table drawings (
  id text primary key,
  number bigserial not null unique,
  title text not null,
  image text not null,
  -- Counts its changes.
  revision integer not null default 1,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create table hotspots (
  drawing_id text not null references drawings on delete cascade,
  number integer not null check (number > 0),
  part_id text not null references parts on delete cascade,
  -- In thousandths of the picture's width and height, from its upper left.
  x integer not null check (x between 0 and 1000),
  y integer not null check (y between 0 and 1000),
  -- Of one bike.
  quantity integer not null check (quantity > 0),
  primary key (drawing_id, number)
);
create index hotspots_part on hotspots (part_id);

create trigger report_change after insert or update or delete on part_models
  for each statement execute function report_content_change();
create trigger report_change after insert or update or delete on drawings
  for each statement execute function report_content_change();
create trigger report_change after insert or update or delete on hotspots
  for each statement execute function report_content_change();
