-- The test bank: what became of each attempt to pay, what was given back, and what is told of it.

alter table bank.payment_intents
  add column number bigserial not null unique,
  add column description text,
  add column automatic_payment_methods jsonb,
  add column payment_method text,
  add column latest_charge text,
  add column canceled_at bigint,
  add column cancellation_reason text;

create table bank.charges (
  id text primary key,
  number bigserial not null unique,
  payment_intent text not null references bank.payment_intents,
  amount integer not null,
  amount_refunded integer not null default 0 check (amount_refunded between 0 and amount),
  currency text not null,
  status text not null,
  card jsonb,
  billing_details jsonb,
  payment_method text,
  -- Whether its holder was asked by 3-D Secure.
  authenticated boolean not null default false,
  failure jsonb,
  created bigint not null
);

create index charges_payment_intent on bank.charges (payment_intent);

-- What was paid before there were charges.
insert into bank.charges (id, payment_intent, amount, currency, status, card, billing_details, payment_method, created)
  select 'ch_' || substr(id, 4), id, amount, currency, 'succeeded', card, billing_details, 'pm_' || substr(id, 4), created
  from bank.payment_intents where status = 'succeeded' order by created;
update bank.payment_intents set latest_charge = 'ch_' || substr(id, 4), payment_method = 'pm_' || substr(id, 4)
  where status = 'succeeded';
update bank.payment_intents set canceled_at = created where status = 'canceled';

create table bank.refunds (
  id text primary key,
  number bigserial not null unique,
  charge text not null references bank.charges,
  payment_intent text not null references bank.payment_intents,
  amount integer not null check (amount >= 1),
  currency text not null,
  status text not null,
  reason text,
  metadata jsonb not null,
  created bigint not null
);

create index refunds_charge on bank.refunds (charge);
create index refunds_payment_intent on bank.refunds (payment_intent);

create table bank.events (
  id text primary key,
  number bigserial not null unique,
  type text not null,
  data jsonb not null,
  api_version text,
  request jsonb not null,
  created bigint not null,
  tries integer not null default 0,
  -- When it is sent next; null once it was taken or given up.
  next_try_at timestamptz,
  taken_at timestamptz
);

create index events_due on bank.events (next_try_at, number) where next_try_at is not null;

-- Keys are told from each other by another fingerprint now, so those from before would only be refused.
delete from bank.requests;
alter table bank.requests add column request_id text not null;
create index requests_created on bank.requests (created);
