-- An order has one delivery and up to 100 lines. Each line is what the API calls a purchase. Existing orders get one line with
-- their own id, so that stored links stay valid.
create table order_lines (
  id text primary key,
  order_id text not null references orders,
  position integer not null check (position >= 1),
  part_id text not null references parts,
  parts text not null,
  unit_price integer not null check (unit_price >= 1),
  quantity integer not null check (quantity >= 1),
  price integer not null check (price = quantity * unit_price and price <= 999999),
  transaction_id text,
  payment_provider text,
  paid_at timestamptz,
  expired_at timestamptz,
  cancelled_at timestamptz,
  shipped_at timestamptz,
  shipping_email_due_at timestamptz,
  unique (order_id, position),
  unique (order_id, part_id),
  -- A payment pays one order.
  unique (transaction_id, position),
  check ((paid_at is null) = (transaction_id is null)),
  check (shipped_at is null or paid_at is not null),
  check (cancelled_at is null or paid_at is null),
  check (expired_at is null or paid_at is null)
);

insert into order_lines
  select id, id, 1, part_id, parts, unit_price, quantity, price, transaction_id, payment_provider,
    paid_at, expired_at, cancelled_at, shipped_at, shipping_email_due_at
  from orders;

alter table orders
  drop column part_id,
  drop column parts,
  drop column unit_price,
  drop column quantity,
  -- Of the lines that are not cancelled.
  add check (price between 0 and 999999),
  add column line_count integer not null default 1 check (line_count >= 0),
  drop column transaction_id,
  drop column payment_provider,
  drop column paid_at,
  drop column expired_at,
  drop column cancelled_at,
  drop column shipped_at,
  drop column shipping_email_due_at;

update orders set price = 0, line_count = 0
  from order_lines where order_lines.id = orders.id and order_lines.cancelled_at is not null;

create index order_lines_part on order_lines (part_id);
create index order_lines_unpaid on order_lines (part_id)
  where paid_at is null and expired_at is null and cancelled_at is null;
create index order_lines_unpaid_order on order_lines (order_id)
  where paid_at is null and expired_at is null and cancelled_at is null;
create index order_lines_to_ship on order_lines (order_id) where paid_at is not null and shipped_at is null;
create index order_lines_shipping_email on order_lines (shipping_email_due_at) where shipping_email_due_at is not null;

-- A key that is used again returns its stored response.
update idempotency_keys set response = response
    || jsonb_build_object('orderId', order_lines.id, 'orderPrice', order_lines.price, 'lineCount', 1)
  from order_lines where key like 'placePurchase:%' and order_lines.id = response->>'_id';

-- Null for what concerns the whole order.
alter table order_events add column line_id text references order_lines;
alter table order_events disable trigger order_events_stay;
update order_events set line_id = order_id where kind in ('shipped', 'not shipped', 'cancelled');
alter table order_events enable trigger order_events_stay;

-- Null for the refund of a payment that the order could not accept.
alter table refunds add column line_id text references order_lines;
update refunds set line_id = order_id where requested_by is not null;

-- Which lines a refund in the ledger is for; `amount_cents` has its sign, and the rows of an entry add up to it.
create table refund_lines (
  ledger_number bigint not null references ledger,
  line_id text not null references order_lines,
  amount_cents integer not null check (amount_cents <> 0),
  primary key (ledger_number, line_id)
);
create index refund_lines_line on refund_lines (line_id);
create trigger refund_lines_stay before update or delete on refund_lines for each row execute function refuse();
insert into refund_lines
  select number, order_id, amount_cents from ledger where kind in ('refund', 'failed refund');

-- Cents. A paid purchase counts only its own payment, not surplus payments. Disputes are of the whole payment.
create view purchases as
select l.id, l.order_id, l.position, o.number, o.user_id, l.part_id, o.name, o.email, l.parts, l.unit_price, l.quantity, l.price,
  o.address, o.phone_number, l.transaction_id, l.payment_provider, o.created_at, l.paid_at, l.shipped_at, l.expired_at,
  l.cancelled_at, l.shipping_email_due_at, o.reminded_at, o.client_network, o.short_hold_until,
  (
    select coalesce(-sum(r.amount_cents), 0)::integer
    from refund_lines r join ledger e on e.number = r.ledger_number
    where r.line_id = l.id and e.payment_id = coalesce(l.transaction_id, e.payment_id)
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
  o.price as order_price, o.line_count
from order_lines l join orders o on o.id = l.order_id;
