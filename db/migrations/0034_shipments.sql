-- What left in one parcel. All of a shipment that was taken back has no lines.
create table shipments (
  id text primary key,
  number bigserial not null unique,
  order_id text not null references orders,
  carrier text,
  tracking_number text,
  by text references users,
  created_at timestamptz not null,
  -- Null when no email about it is waiting.
  email_due_at timestamptz,
  emailed_at timestamptz
);
create index shipments_order on shipments (order_id);
create index shipments_email on shipments (email_due_at) where email_due_at is not null;

create table shipment_lines (
  shipment_id text not null references shipments,
  line_id text not null references order_lines,
  quantity integer not null check (quantity > 0),
  primary key (shipment_id, line_id)
);
create index shipment_lines_line on shipment_lines (line_id);

-- Each line that has shipped did so in one shipment of its own.
insert into shipments (id, order_id, created_at, by, email_due_at, emailed_at)
  select l.id, l.order_id, l.shipped_at,
    (select e.by from order_events e where e.line_id = l.id and e.kind = 'shipped' order by e.number desc limit 1),
    l.shipping_email_due_at, case when l.shipping_email_due_at is null then l.shipped_at end
  from order_lines l where l.shipped_at is not null order by l.shipped_at;
insert into shipment_lines select id, id, quantity from order_lines where shipped_at is not null;

alter table order_lines
  add column shipped_quantity integer not null default 0,
  -- Returned to stock by a refund that has not failed.
  add column returned_quantity integer not null default 0;
update order_lines set shipped_quantity = quantity where shipped_at is not null;
update order_lines l set returned_quantity = r.restocked
  from (select line_id, sum(restocked)::integer as restocked from refunds where failure is null group by line_id) r
  where r.line_id = l.id;
alter table order_lines
  add check (shipped_quantity between 0 and quantity),
  add check (returned_quantity between 0 and quantity),
  add check (shipped_quantity = 0 or paid_at is not null),
  add check ((shipped_at is not null) = (shipped_quantity > 0 and shipped_quantity + returned_quantity >= quantity));

-- Null in events from before shipments, and in those of other kinds.
alter table order_events
  add column shipment_id text references shipments,
  add column quantity integer check (quantity > 0);

-- A key that is used again returns its stored response.
update idempotency_keys set response = response || jsonb_build_object('shippedQuantity', 0, 'toShip', response->'quantity')
  where key like 'placePurchase:%' and response is not null;
update idempotency_keys set response = jsonb_set(response, '{lines}', (
    select jsonb_agg(line || jsonb_build_object('shippedQuantity', 0, 'toShip', line->'quantity') order by position)
    from jsonb_array_elements(response->'lines') with ordinality as lines (line, position)
  ))
  where key like 'placeOrder:%' and response is not null;

drop view purchases;
alter table order_lines drop column shipping_email_due_at;

-- Cents. A paid purchase counts only its own payment, not surplus payments. Disputes are of the whole payment.
create view purchases as
select l.id, l.order_id, l.position, o.number, o.user_id, l.part_id, o.name, o.email, l.parts, l.unit_price, l.quantity, l.price,
  o.address, o.phone_number, l.transaction_id, l.payment_provider, o.created_at, l.paid_at, l.shipped_at, l.expired_at,
  l.cancelled_at, l.shipped_quantity, l.returned_quantity, o.reminded_at, o.client_network, o.short_hold_until,
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
