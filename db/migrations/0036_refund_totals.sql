-- What was refunded and disputed is kept with each line: to add it up for every line that is read took longer than the line itself.
alter table order_lines
  -- Cents. A paid line counts only its own payment, not surplus payments. Disputes are of the whole payment.
  add column refunded_cents integer not null default 0,
  add column disputed_cents integer not null default 0,
  -- Owed: asked for, and not made by the provider yet.
  add column pending_refund_cents integer not null default 0,
  add column dispute text;

create function update_refund_totals(changed_order text) returns void language sql as $$
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
  where l.order_id = changed_order
$$;

create function order_refunds_changed() returns trigger language plpgsql as $$
begin
  perform update_refund_totals(new.order_id);
  return null;
end $$;

create function refund_lines_added() returns trigger language plpgsql as $$
begin
  perform update_refund_totals(order_id) from (
    select distinct l.order_id from added join order_lines l on l.id = added.line_id
  ) changed;
  return null;
end $$;

create trigger refund_totals after insert on refund_lines referencing new table as added
  for each statement execute function refund_lines_added();
create trigger refund_totals after insert on ledger for each row
  when (new.kind in ('dispute', 'dispute reversal')) execute function order_refunds_changed();
create trigger refund_totals after insert or update of amount_cents, completed_at, line_id, payment_id on refunds
  for each row execute function order_refunds_changed();
create trigger refund_totals after insert or update of status on disputes
  for each row execute function order_refunds_changed();
-- A payment that an order could not accept counts until another one pays it.
create trigger refund_totals after update of transaction_id on order_lines for each row
  when (old.transaction_id is distinct from new.transaction_id
    and (old.transaction_id, old.refunded_cents, old.disputed_cents, old.pending_refund_cents) is distinct from (null, 0, 0, 0))
  execute function order_refunds_changed();

select update_refund_totals(order_id) from (
  select order_id from refunds
  union select order_id from ledger where kind <> 'payment'
  union select order_id from disputes
) changed;

drop view purchases;
create view purchases as
select l.id, l.order_id, l.position, o.number, o.user_id, l.part_id, o.name, o.email, l.parts, l.unit_price, l.quantity, l.price,
  o.address, o.phone_number, l.transaction_id, l.payment_provider, o.created_at, l.paid_at, l.shipped_at, l.expired_at,
  l.cancelled_at, l.shipped_quantity, l.returned_quantity, o.reminded_at, o.client_network, o.short_hold_until,
  l.refunded_cents, l.disputed_cents, l.pending_refund_cents, l.dispute,
  o.price as order_price, o.line_count, o.search_text || ' ' || l.search_text as search_text, o.recipient, o.company
from order_lines l join orders o on o.id = l.order_id;

-- A key that is used again returns its stored response.
update idempotency_keys set response = response || jsonb_build_object('returnedQuantity', 0)
  where key like 'placePurchase:%' and response is not null;
update idempotency_keys set response = jsonb_set(response, '{lines}', (
    select jsonb_agg(line || jsonb_build_object('returnedQuantity', 0) order by position)
    from jsonb_array_elements(response->'lines') with ordinality as lines (line, position)
  ))
  where key like 'placeOrder:%' and response is not null;
