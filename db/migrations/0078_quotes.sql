-- Orders that admins prepare for a customer, at prices of their own. The order that a quote becomes has its id.
create table quotes (
  id text primary key,
  number bigserial not null unique,
  email text not null,
  name text not null,
  -- Of the link in its email; the token itself is not stored.
  token_hash text unique,
  valid_until date not null,
  note text,
  below_minimum boolean not null,
  -- As `quoteLine` in shop/quotes/quote.ts.
  lines jsonb not null,
  total integer not null check (total > 0),
  version integer not null default 1,
  created_by text not null references users,
  created_at timestamptz not null,
  sent_at timestamptz,
  withdrawn_at timestamptz,
  -- Until when it cannot be withdrawn, because its order is being placed.
  accepting_until timestamptz,
  search_text text not null generated always as (fold(name || ' ' || email)) stored
);
create index quotes_search on quotes using gin (search_text gin_trgm_ops);
create index quotes_created on quotes (created_at, number);
