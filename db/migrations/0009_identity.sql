alter table users add column revoked_at timestamptz;

create table spent_tokens (
  id text primary key,
  expires_at timestamptz not null
);

-- Signing keys are changed from now on; those without an end would stay the newest for ever.
update identity.jwks set expires_at = now() + interval '30 days' where expires_at is null;

-- A link for a new password is looked up by what it is, never by what it was given out as.
delete from identity.verifications;

-- One login at a provider is one account.
create unique index accounts_provider on identity.accounts (provider_id, account_id);
