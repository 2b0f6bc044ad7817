-- What the embedded providers keep. The shop never reads these tables: it asks its ports.
create schema identity;

create table identity.users (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null,
  image text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table identity.sessions (
  id text primary key,
  token text not null unique,
  user_id text not null references identity.users on delete cascade,
  ip_address text,
  user_agent text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index sessions_user on identity.sessions (user_id);

create table identity.accounts (
  id text primary key,
  account_id text not null,
  provider_id text not null,
  user_id text not null references identity.users on delete cascade,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index accounts_user on identity.accounts (user_id);

create table identity.verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index verifications_identifier on identity.verifications (identifier);

create table identity.jwks (
  id text primary key,
  public_key text not null,
  private_key text not null,
  alg text,
  crv text,
  created_at timestamptz not null,
  expires_at timestamptz
);

create schema bank;

create table bank.payment_intents (
  id text primary key,
  client_secret text not null,
  amount integer not null,
  currency text not null,
  status text not null,
  metadata jsonb not null,
  receipt_email text,
  last_payment_error jsonb,
  card jsonb,
  created bigint not null
);

create table bank.requests (
  key text primary key,
  request text not null,
  status integer,
  answer jsonb,
  created bigint not null
);

create table outbox (
  id text primary key,
  number bigserial not null unique,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null
);
