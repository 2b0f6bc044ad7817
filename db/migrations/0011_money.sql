-- Every payment that was opened at the card provider, and whether its end is known. An order has one at a time.
create table payments (
  id text primary key,
  order_id text not null references orders,
  -- When somebody was last given the means to pay it.
  shown_at timestamptz not null,
  -- When the provider was asked last how it stands.
  asked_at timestamptz not null,
  ended_at timestamptz
);

insert into payments (id, order_id, shown_at, asked_at, ended_at)
  select payment_id, id, created_at, now(), coalesce(paid_at, expired_at, cancelled_at)
  from orders where payment_id is not null;
insert into payments (id, order_id, shown_at, asked_at, ended_at)
  select transaction_id, id, created_at, now(), paid_at
  from orders where transaction_id is not null
  on conflict do nothing;

create unique index payments_open on payments (order_id) where ended_at is null;
create index payments_order on payments (order_id);
create index payments_asked on payments (asked_at) where ended_at is null;

alter table orders drop column payment_id;
-- When somebody was told that the time to pay is nearly over.
alter table orders add column reminded_at timestamptz;

-- What was asked to be given back, by whom and why; `by` is null for the shop itself.
create table refunds (
  id text primary key,
  number bigserial not null unique,
  order_id text not null references orders,
  payment_id text not null references payments,
  amount integer not null check (amount >= 1),
  reason text not null,
  -- How many of its parts went back on sale.
  returned integer not null default 0 check (returned >= 0),
  by text references users,
  created_at timestamptz not null,
  asked_at timestamptz not null,
  -- When the provider took it on, or refused it: then `failure` says why.
  ended_at timestamptz,
  failure text
);

create index refunds_order on refunds (order_id);
create index refunds_asked on refunds (asked_at) where ended_at is null;

-- Money as it moved, in whole dollars: to the shop above zero, from it below. `reference` is the provider's name of the
-- movement, so that none is written twice.
create table ledger (
  number bigserial primary key,
  order_id text not null references orders,
  payment_id text not null references payments,
  reference text not null unique,
  kind text not null check (kind in ('payment', 'refund', 'failed refund')),
  amount integer not null check (case kind when 'refund' then amount < 0 else amount > 0 end),
  refund_id text references refunds,
  at timestamptz not null
);

create index ledger_order on ledger (order_id);

insert into ledger (order_id, payment_id, reference, kind, amount, at)
  select id, transaction_id, transaction_id, 'payment', price, paid_at
  from orders where paid_at is not null order by paid_at;

-- What happened to an order beside money; `by` is null for the shop itself.
create table order_events (
  number bigserial primary key,
  order_id text not null references orders,
  kind text not null check (kind in ('shipped', 'not shipped', 'expired', 'cancelled', 'taken again')),
  by text references users,
  at timestamptz not null
);

create index order_events_order on order_events (order_id);

insert into order_events (order_id, kind, at)
  select id, kind, at
  from orders, lateral (values ('shipped', shipped_at), ('expired', expired_at), ('cancelled', cancelled_at)) as past (kind, at)
  where at is not null order by at;

-- Both are only ever added to.
create function refuse() returns trigger language plpgsql as $$
begin
  raise exception '% is only added to', tg_table_name;
end
$$;

create trigger ledger_stays before update or delete on ledger for each row execute function refuse();
create trigger order_events_stay before update or delete on order_events for each row execute function refuse();

-- Messages of the card provider that were dealt with, so that a repeat is not.
create table notices (
  id text primary key,
  created_at timestamptz not null
);
