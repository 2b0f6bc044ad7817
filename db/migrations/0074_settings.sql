-- What admins set for the shop, by section; one without a row has the defaults of app/brand.ts.
create table settings (
  section text primary key,
  value jsonb not null,
  -- 1 when it was first saved; each change is based on the version that was read.
  version integer not null,
  changed_by text not null,
  changed_at timestamptz not null
);

-- Pages show them.
create trigger report_change after insert or update or delete or truncate on settings
  for each statement execute function report_review_change();
