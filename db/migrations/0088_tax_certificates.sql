-- Files of exemption certificates. One that an admin has confirmed stays when another follows.
create table tax_certificates (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  type text not null,
  size integer not null,
  -- In Base64.
  data text not null,
  created_at timestamptz not null
);
create index tax_certificates_user_id on tax_certificates (user_id);

-- VAT IDs that an admin has declined, to find them when another customer enters one.
create index users_declined_numbers on users using gin ((tax_status -> 'declinedNumbers')) where tax_status is not null;
