-- A refund that the provider does not make, and an admin has made another way: it is no failure, and counts for the item.
alter table refunds add column made_another_way boolean not null default false;
update refunds set made_another_way = true, failure = null where failure = 'An admin refunded the customer another way.';

-- Otherwise as 0064_disputes_of_a_payment.sql.
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
select update_refund_totals(order_id) from (select distinct order_id from refunds where made_another_way) made;

-- A dispute counts until another payment pays the order, like the sums.
create or replace trigger refund_totals after update of transaction_id on order_lines for each row
  when (old.transaction_id is distinct from new.transaction_id
    and (old.transaction_id, old.refunded_cents, old.disputed_cents, old.pending_refund_cents, old.dispute)
      is distinct from (null, 0, 0, 0, null))
  execute function order_refunds_changed();
