-- By which part another one is replaced. A part that is replaced from today on is deleted as others are; discontinued_at is when, so that
-- only what a replacement has deleted comes back when it is removed.
create table replacements (
  part_id text primary key references parts,
  number bigserial not null,
  by_id text not null references parts,
  starts_on date not null,
  kind text not null check (kind in ('direct', 'with changes')),
  note text not null,
  created_at timestamptz not null,
  discontinued_at timestamptz,
  check (part_id <> by_id)
);
create index replacements_by on replacements (by_id);
create index replacements_planned on replacements (starts_on) where discontinued_at is null;
create trigger report_replacement after insert or update or delete on replacements
  for each row execute function report_delivery_change();

-- By the end of its number: CN11 of WW-CN11.
create index parts_deleted_number on parts
  (upper(regexp_replace(regexp_replace(part_number, '^[^./-]*[./-]', ''), '[^A-Za-z0-9]', '', 'g'))) where deleted_at is not null;
