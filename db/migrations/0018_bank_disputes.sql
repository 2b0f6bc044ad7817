-- The test bank: captures, payments that are processing, pending refunds, and disputes.

alter table bank.payment_intents
  add column capture_method text not null default 'automatic',
  -- Null unless only a part was captured.
  add column amount_received integer;

alter table bank.charges
  add column captured boolean not null default false,
  add column amount_captured integer not null default 0 check (amount_captured between 0 and amount),
  add column disputed boolean not null default false;
update bank.charges set captured = true, amount_captured = amount where status = 'succeeded';

create table bank.disputes (
  id text primary key,
  number bigserial not null unique,
  charge text not null references bank.charges,
  payment_intent text not null references bank.payment_intents,
  amount integer not null check (amount >= 1),
  currency text not null,
  status text not null,
  reason text not null,
  is_inquiry boolean not null,
  evidence jsonb not null,
  submission_count integer not null default 0,
  balance_transactions jsonb not null,
  metadata jsonb not null,
  due_by bigint not null,
  created bigint not null
);

create index disputes_charge on bank.disputes (charge);
create index disputes_payment_intent on bank.disputes (payment_intent);
