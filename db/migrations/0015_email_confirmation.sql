alter table users add column email_confirmed_at timestamptz;

-- Google and GitHub accounts of the embedded provider, which were only created with a verified address.
update users set email_confirmed_at = now() from identity.users account
  where users.issuer = 'winged-wheels' and users.subject = account.id
    and users.email = account.email and account.email_verified;

create function unconfirm_email() returns trigger language plpgsql as $$
begin
  new.email_confirmed_at := null;
  return new;
end $$;

create trigger users_email_changed before update of email on users
  for each row when (new.email is distinct from old.email) execute function unconfirm_email();

create table email_confirmations (
  token_hash text primary key,
  user_id text not null references users,
  email text not null,
  expires_at timestamptz not null
);

create index email_confirmations_user on email_confirmations (user_id);
