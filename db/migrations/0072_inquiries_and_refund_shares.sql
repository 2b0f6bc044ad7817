-- A customer’s bank only asks about the payment, and has taken nothing back: that stops nothing from shipping.
alter table disputes add column inquiry boolean not null default false;
update disputes set inquiry = true
  where status <> 'lost' and not exists (select from ledger where kind = 'dispute' and reference = disputes.id);
update payment_tasks set kind = 'inquiry'
  where kind = 'dispute' and reference in (select id from disputes where inquiry);
alter table order_lines add column inquiry boolean not null default false;
create or replace trigger refund_totals after insert or update of status, inquiry on disputes
  for each row execute function order_refunds_changed();

create or replace view purchases as
select l.id, l.order_id, l.position, l.order_number as number, o.user_id, l.part_id, o.name, o.email, l.parts, l.unit_price, l.quantity,
  l.price, o.address, o.phone_number, l.transaction_id, l.payment_provider, o.created_at, l.paid_at, l.shipped_at, l.expired_at,
  l.cancelled_at, l.shipped_quantity, l.returned_quantity, o.reminded_at, o.client_network, o.short_hold_until, l.refunded_cents,
  l.disputed_cents, l.pending_refund_cents, l.dispute, o.price as order_price, o.line_count, l.search_text,
  o.recipient, o.company, o.refunded_cents as order_refunded_cents, l.inquiry
from order_lines l join orders o on o.id = l.order_id;

-- A refund of several items: what each has of it. One of a single item has its item in refunds.line_id.
create table refund_shares (
  refund_id text not null references refunds,
  line_id text not null references order_lines,
  amount_cents integer not null check (amount_cents > 0),
  restocked integer not null check (restocked >= 0),
  primary key (refund_id, line_id)
);
create index refund_shares_line on refund_shares (line_id);
create trigger refund_shares_stay before update or delete on refund_shares for each row execute function refuse();
create trigger refund_totals after insert on refund_shares referencing new table as added
  for each statement execute function refund_lines_added();

-- The items of each refund that was asked for.
create view refund_items as
  select id as refund_id, line_id, amount_cents, restocked from refunds where line_id is not null
  union all
  select refund_id, line_id, amount_cents, restocked from refund_shares;

-- Otherwise as 0048_stock.sql.
create or replace view stock_movements as
  select part_id, at, 'opening'::text as kind, quantity, null::text as order_id, null::text as by_name from opening_stock
  union all
  select l.part_id, o.created_at, 'ordered', -l.quantity, l.order_id, o.name
    from order_lines l join orders o on o.id = l.order_id
  union all
  select l.part_id, e.at, case e.kind when 'reserved again' then 'ordered' else 'expired' end,
      case e.kind when 'reserved again' then -l.quantity else l.quantity end, l.order_id, null
    from order_lines l join order_events e on e.order_id = l.order_id
    where e.kind in ('expired', 'reserved again') and not exists (
      select from order_events c
      where c.order_id = l.order_id and c.line_id = l.id and c.kind = 'cancelled' and c.number < e.number)
  union all
  select l.part_id, e.at, 'cancelled', l.quantity, l.order_id, u.name
    from order_lines l join order_events e on e.order_id = l.order_id left join users u on u.id = e.by
    where e.kind = 'cancelled' and (e.line_id is null or e.line_id = l.id) and l.expired_at is null
  union all
  select l.part_id, r.completed_at, 'returned', i.restocked, l.order_id, u.name
    from order_lines l join refunds r on r.order_id = l.order_id join refund_items i on i.refund_id = r.id and i.line_id = l.id
      left join users u on u.id = r.requested_by
    where i.restocked > 0 and r.completed_at is not null and r.failure is null
  union all
  select subject_id, at, case when action in ('restockPart', 'restockParts', 'receiveDelivery') then 'received' else 'corrected' end,
      (after ->> 'availableQuantity')::integer - (before ->> 'availableQuantity')::integer, null, by_name
    from audit_log
    where subject_kind = 'part' and before ? 'availableQuantity' and after ? 'availableQuantity';
