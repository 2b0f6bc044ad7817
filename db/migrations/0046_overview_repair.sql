-- Before its release, 0046_overview.sql created the index of 0047_ledger_at.sql.
do $$
begin
  if not exists (select from migrations where name = '0047_ledger_at.sql') then
    drop index if exists ledger_at;
  end if;
end $$;
