-- What admins changed. The names are of that time: an account can be renamed, and a part deleted.
create table audit_log (
  number bigserial primary key,
  at timestamptz not null default clock_timestamp(),
  by text not null,
  by_name text not null,
  by_email text not null,
  network text,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  subject text not null,
  before jsonb,
  after jsonb
);
create index audit_log_subject on audit_log (subject_kind, subject_id, number);
create index audit_log_by on audit_log (by, number);
create index audit_log_action on audit_log (action, number);
create index audit_log_text on audit_log using gin (fold(subject || ' ' || by_name || ' ' || by_email) gin_trgm_ops);

create function refuse_audit_log_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_log_change();
