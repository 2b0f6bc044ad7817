-- What a part's specification sheet said, from the first time somebody opened it after a change.
create table sheets (
  part_id text not null references parts on delete cascade,
  revision integer not null check (revision > 0),
  content jsonb not null,
  issued_at timestamptz not null,
  primary key (part_id, revision)
);

-- Manuals, certificates and drawings of parts, as PDF.
create table part_documents (
  id text primary key,
  number bigserial not null unique,
  part_id text not null references parts on delete cascade,
  kind text not null,
  title text not null,
  size integer not null,
  file bytea not null,
  added_at timestamptz not null
);
-- PDFs are compressed themselves, and a download reads them piece by piece.
alter table part_documents alter column file set storage external;
create index part_documents_part on part_documents (part_id, number);

create trigger report_change after insert or update or delete on part_documents
  for each statement execute function report_content_change();
