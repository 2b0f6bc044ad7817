-- What was refunded of all lines, kept with the order like its price: lists show it at the head of an order.
alter table orders add column refunded_cents integer not null default 0;
update orders o set refunded_cents = total
from (
  select order_id, sum(refunded_cents) as total from order_lines where refunded_cents <> 0 group by order_id
) refunded
where o.id = refunded.order_id;

create or replace function update_refund_totals(changed_order text) returns void language sql as $$
  update order_lines l set
    refunded_cents = (
      select coalesce(-sum(r.amount_cents), 0)
      from refund_lines r join ledger e on e.number = r.ledger_number
      where r.line_id = l.id and e.payment_id = coalesce(l.transaction_id, e.payment_id)
    ),
    disputed_cents = (
      select coalesce(-sum(e.amount_cents), 0) from ledger e
      where e.order_id = l.order_id and e.kind in ('dispute', 'dispute reversal')
        and e.payment_id = coalesce(l.transaction_id, e.payment_id)
    ),
    pending_refund_cents = (
      select coalesce(sum(r.amount_cents), 0) from refunds r
      where r.order_id = l.order_id and r.completed_at is null and r.payment_id = coalesce(l.transaction_id, r.payment_id)
        and (r.line_id = l.id or r.line_id is null and l.position = 1)
    ),
    dispute = (
      select d.status from disputes d where d.order_id = l.order_id
      order by array_position(array['open', 'lost', 'won'], d.status) limit 1
    )
  where l.order_id = changed_order;
  update orders set refunded_cents = (
    select coalesce(sum(l.refunded_cents), 0) from order_lines l where l.order_id = changed_order
  )
  where id = changed_order
$$;

create or replace view purchases as
select l.id, l.order_id, l.position, l.order_number as number, o.user_id, l.part_id, o.name, o.email, l.parts, l.unit_price, l.quantity,
  l.price, o.address, o.phone_number, l.transaction_id, l.payment_provider, o.created_at, l.paid_at, l.shipped_at, l.expired_at,
  l.cancelled_at, l.shipped_quantity, l.returned_quantity, o.reminded_at, o.client_network, o.short_hold_until, l.refunded_cents,
  l.disputed_cents, l.pending_refund_cents, l.dispute, o.price as order_price, o.line_count, l.search_text,
  o.recipient, o.company, o.refunded_cents as order_refunded_cents
from order_lines l join orders o on o.id = l.order_id;

-- A key that is used again returns its stored response.
update idempotency_keys set response = response || jsonb_build_object('orderRefunded', 0)
  where key like 'placePurchase:%' and response is not null;
update idempotency_keys set response = jsonb_set(response, '{lines}', (
    select jsonb_agg(line || jsonb_build_object('orderRefunded', 0) order by position)
    from jsonb_array_elements(response->'lines') with ordinality as lines (line, position)
  ))
  where key like 'placeOrder:%' and response is not null;
