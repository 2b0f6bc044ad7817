-- The ledger keeps cents, because refunds made at the provider may have some.
drop trigger ledger_stays on ledger;
alter table ledger drop constraint ledger_check;
alter table ledger drop constraint ledger_kind_check;
alter table ledger rename column amount to amount_cents;
update ledger set amount_cents = amount_cents * 100;
alter table ledger
  add constraint ledger_kind check (kind in ('payment', 'refund', 'failed refund', 'dispute', 'dispute reversal')),
  add constraint ledger_sign check (case when kind in ('refund', 'dispute') then amount_cents < 0 else amount_cents > 0 end);
create trigger ledger_stays before update or delete on ledger for each row execute function refuse();
create index ledger_payment on ledger (payment_id);

alter table refunds rename column amount to amount_cents;
update refunds set amount_cents = amount_cents * 100;
-- How often the provider failed to process it; part of the idempotency key. `refusal` is why the last try was refused.
alter table refunds
  add column provider_failures integer not null default 0,
  add column refusal text;

-- Null for payments from before it was recorded.
alter table payments add column provider text;
alter table payments rename column presented_at to active_at;
-- Null when nothing about the payment can change any more.
alter table payments add column next_check_at timestamptz;
update payments set
  active_at = greatest(active_at, settled_at),
  next_check_at = case when settled_at is null or id in (select payment_id from ledger) then now() end;
drop index payments_checked;
create index payments_next_check on payments (next_check_at) where next_check_at is not null;

alter table orders add column payment_provider text;

create table disputes (
  id text primary key,
  order_id text not null references orders,
  payment_id text not null references payments,
  amount_cents integer not null,
  status text not null check (status in ('open', 'won', 'lost')),
  reason text not null,
  respond_by timestamptz,
  created_at timestamptz not null,
  closed_at timestamptz
);
create index disputes_order on disputes (order_id);

-- What an admin has to decide about a payment.
create table payment_tasks (
  id text primary key,
  number bigserial not null unique,
  order_id text not null references orders,
  kind text not null,
  -- The provider's id of the payment, refund or dispute.
  reference text not null,
  detail text not null,
  created_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by text references users,
  unique (kind, reference)
);
create index payment_tasks_open on payment_tasks (number) where resolved_at is null;
create index payment_tasks_order on payment_tasks (order_id);

update payments set provider = 'test bank' where id in (select id from bank.payment_intents);
update orders set payment_provider = 'test bank' where transaction_id in (select id from bank.payment_intents);
