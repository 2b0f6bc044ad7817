alter table users add column revoked_at timestamptz;

create table spent_tokens (
  id text primary key,
  expires_at timestamptz not null
);

-- Signing keys are changed from now on; those without an end would stay the newest for ever.
update identity.jwks set expires_at = now() + interval '30 days' where expires_at is null;

-- Links for a new password are kept by their hashes from now on, and what was asked before is not answered any more.
delete from identity.verifications;

-- One login at a provider is one account.
create unique index accounts_provider on identity.accounts (provider_id, account_id);
