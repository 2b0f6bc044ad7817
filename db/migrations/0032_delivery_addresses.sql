-- Where a customer's orders can go. An empty recipient is the account's name. Orders keep a copy.
create table delivery_addresses (
  id text primary key,
  number bigserial not null unique,
  user_id text not null references users,
  recipient text not null,
  company text not null,
  address text not null,
  phone_number text not null,
  unique (user_id, recipient, company, address, phone_number)
);
-- Null only without an address.
alter table users add column default_address_id text references delivery_addresses;

alter table orders add column recipient text not null default '', add column company text not null default '';
update orders set recipient = name;

-- A key that is used again returns its stored response.
update idempotency_keys set response = response || jsonb_build_object('recipient', response->'name', 'company', '')
  where key similar to '(placePurchase|placeOrder|refundPurchase):%';
update idempotency_keys set response = jsonb_set(response, '{lines}', (
    select jsonb_agg(line || jsonb_build_object('recipient', line->'name', 'company', '') order by position)
    from jsonb_array_elements(response->'lines') with ordinality stored (line, position)
  ))
  where key like 'placeOrder:%' and response is not null;

-- The search also finds whom an order goes to.
drop view purchases;
alter table orders drop column search_text;
alter table orders add column search_text text
  generated always as (fold(name || ' ' || email || ' ' || recipient || ' ' || company || ' ' || address)) stored;

-- Cents. A paid purchase counts only its own payment, not surplus payments. Disputes are of the whole payment.
create view purchases as
select l.id, l.order_id, l.position, o.number, o.user_id, l.part_id, o.name, o.email, l.parts, l.unit_price, l.quantity, l.price,
  o.address, o.phone_number, l.transaction_id, l.payment_provider, o.created_at, l.paid_at, l.shipped_at, l.expired_at,
  l.cancelled_at, l.shipping_email_due_at, o.reminded_at, o.client_network, o.short_hold_until,
  (
    select coalesce(-sum(r.amount_cents), 0)::integer
    from refund_lines r
    -- Not a join: without statistics Postgres would read the whole ledger for each line.
    where r.line_id = l.id
      and (select e.payment_id = coalesce(l.transaction_id, e.payment_id) from ledger e where e.number = r.ledger_number)
  ) as refunded_cents,
  (
    select coalesce(-sum(e.amount_cents), 0)::integer from ledger e
    where e.order_id = l.order_id and e.kind in ('dispute', 'dispute reversal')
      and e.payment_id = coalesce(l.transaction_id, e.payment_id)
  ) as disputed_cents,
  -- Owed: asked for, and not made by the provider yet.
  (
    select coalesce(sum(r.amount_cents), 0)::integer from refunds r
    where r.order_id = l.order_id and r.completed_at is null and r.payment_id = coalesce(l.transaction_id, r.payment_id)
      and (r.line_id = l.id or r.line_id is null and l.position = 1)
  ) as pending_refund_cents,
  (
    select d.status from disputes d where d.order_id = l.order_id
    order by array_position(array['open', 'lost', 'won'], d.status) limit 1
  ) as dispute,
  o.price as order_price, o.line_count,
  o.search_text || ' ' || l.search_text as search_text,
  o.recipient, o.company
from order_lines l join orders o on o.id = l.order_id;
