-- Adds up what was refunded and disputed of each line of an order, and of its delivery: to add it up for every line that is read took longer than the line itself.
-- A paid line counts its own payment. An unpaid one counts any payment that its order could not take, until another pays lines of the order:
-- then only those. A refund that is not of one line is kept with the first that is not cancelled.
-- The triggers refund_totals call it: of refund_lines, refund_shares and disputes (migrations 0036, 0072), of refunds (0036), of a ledger entry of a dispute or with
-- delivery (0084), and of an order_line that another payment pays (0066) or that is cancelled (0069).
create or replace function update_refund_totals(changed_order text) returns void language sql as $$
  with counted as (
    select id, position = coalesce(
        min(position) filter (where cancelled_at is null) over (partition by order_id), min(position) over (partition by order_id)
      ) as is_first,
      case when transaction_id is null
        then array_agg(transaction_id) filter (where transaction_id is not null) over (partition by order_id)
        else array[transaction_id]
      end as payments
    from order_lines where order_id = changed_order
  )
  update order_lines l set
    refunded_cents = (
      select coalesce(-sum(r.amount_cents), 0)
      from refund_lines r join ledger e on e.number = r.ledger_number
      where r.line_id = l.id and (payments is null or e.payment_id = any (payments))
    ) + (
      select coalesce(sum(coalesce(i.amount_cents, r.amount_cents - r.delivery_cents)), 0)
      from refunds r left join refund_items i on i.refund_id = r.id
      where r.order_id = l.order_id and r.made_another_way and (payments is null or r.payment_id = any (payments))
        and (i.line_id = l.id or i.line_id is null and is_first)
    ),
    disputed_cents = (
      select coalesce(-sum(e.amount_cents), 0) from ledger e
      where e.order_id = l.order_id and e.kind in ('dispute', 'dispute reversal')
        and (payments is null or e.payment_id = any (payments))
    ),
    pending_refund_cents = (
      select coalesce(sum(coalesce(i.amount_cents, r.amount_cents - r.delivery_cents)), 0)
      from refunds r left join refund_items i on i.refund_id = r.id
      where r.order_id = l.order_id and r.completed_at is null and (payments is null or r.payment_id = any (payments))
        and (i.line_id = l.id or i.line_id is null and is_first)
    ),
    dispute = (
      select d.status from disputes d
      where d.order_id = l.order_id and not d.inquiry and (payments is null or d.payment_id = any (payments))
      order by array_position(array['open', 'lost', 'won'], d.status) limit 1
    ),
    inquiry = exists (
      select from disputes d
      where d.order_id = l.order_id and d.inquiry and d.status = 'open' and (payments is null or d.payment_id = any (payments))
    )
  from counted where counted.id = l.id;
  with counted as (
    select sum(refunded_cents) as refunded_cents, array_agg(transaction_id) filter (where transaction_id is not null) as payments
    from order_lines where order_id = changed_order
  ), delivery as (
    select (
        select coalesce(-sum(e.delivery_cents), 0) from ledger e
        where e.order_id = changed_order and (payments is null or e.payment_id = any (payments))
      ) + coalesce(sum(r.delivery_cents) filter (where r.made_another_way), 0) as refunded,
      coalesce(sum(r.delivery_cents) filter (where r.completed_at is null), 0) as pending
    from counted left join refunds r on r.order_id = changed_order and (payments is null or r.payment_id = any (payments))
    group by payments
  )
  update orders set refunded_cents = counted.refunded_cents + delivery.refunded, refunded_delivery_cents = delivery.refunded,
    pending_delivery_cents = delivery.pending
  from counted, delivery where id = changed_order
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

-- This text runs again whenever it has changed, so the totals of older orders are made anew. Each order is locked first: an older version goes on serving.
select count(*) from (
  select update_refund_totals(id) from (
    select id from orders where id in (
      select order_id from refunds
      union select order_id from ledger where kind <> 'payment'
      union select order_id from disputes
    ) order by id for update
  ) locked
) updated;
