-- Takes the audit log away from the shop's own database user, which can add to it and read it afterwards, but can neither change nor empty it,
-- whatever statements it sends. As a superuser, after the first start of the shop: psql -d shop -f ops/protect-audit-log.sql
-- A later version whose notes say that it changes the audit log needs, for its first start: grant audit_log_owner to shop
do $$
declare
  shop text := (select tableowner from pg_tables where schemaname = 'public' and tablename = 'audit_log');
begin
  if shop = 'audit_log_owner' then
    return;
  end if;
  if not exists (select from pg_roles where rolname = 'audit_log_owner') then
    create role audit_log_owner nologin;
  end if;
  alter table public.audit_log owner to audit_log_owner;
  alter function public.refuse_audit_log_change() owner to audit_log_owner;
  -- The owner of a schema can drop what is in it.
  alter schema public owner to audit_log_owner;
  execute format('grant usage, create on schema public to %I', shop);
  execute format('grant select, insert on public.audit_log to %I', shop);
  execute format('grant usage on sequence public.audit_log_number_seq to %I', shop);
end $$;
