-- Adds up what was refunded and disputed of each line of an order: to add it up for every line that is read took longer than the line itself.
create or replace function update_refund_totals(changed_order text) returns void language sql as $$
  update order_lines l set
    refunded_cents = (
      select coalesce(-sum(r.amount_cents), 0)
      from refund_lines r join ledger e on e.number = r.ledger_number
      where r.line_id = l.id and e.payment_id = coalesce(l.transaction_id, e.payment_id)
    ) + (
      select coalesce(sum(r.amount_cents), 0) from refunds r
      where r.order_id = l.order_id and r.made_another_way and r.payment_id = coalesce(l.transaction_id, r.payment_id)
        and (r.line_id = l.id or r.line_id is null and l.position = 1)
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
      select d.status from disputes d
      where d.order_id = l.order_id and d.payment_id = coalesce(l.transaction_id, d.payment_id)
      order by array_position(array['open', 'lost', 'won'], d.status) limit 1
    )
  where l.order_id = changed_order;
  update orders set refunded_cents = (
    select coalesce(sum(l.refunded_cents), 0) from order_lines l where l.order_id = changed_order
  )
  where id = changed_order
$$;

create or replace function order_refunds_changed() returns trigger language plpgsql as $$
begin
  perform update_refund_totals(new.order_id);
  return null;
end $$;

create or replace function refund_lines_added() returns trigger language plpgsql as $$
begin
  perform update_refund_totals(order_id) from (
    select distinct l.order_id from added join order_lines l on l.id = added.line_id
  ) changed;
  return null;
end $$;
