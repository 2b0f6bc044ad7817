-- What a customer or an admin changed about an order that stands: where it goes, and items that are to be cancelled after they were paid.
alter table order_events drop constraint order_events_kind_check;
alter table order_events add constraint order_events_kind_check check (kind in ('shipped', 'not shipped', 'expired', 'cancelled',
  'reserved again', 'delivery changed', 'cancellation requested', 'cancellation declined'));

-- Items that a customer asked to cancel after they were paid, until an admin has answered.
create table cancellation_requests (
  id text primary key,
  order_id text not null references orders,
  line_ids text[] not null,
  reason text,
  created_at timestamptz not null,
  decided_at timestamptz,
  decision text check (decision in ('refund', 'decline')),
  check ((decided_at is null) = (decision is null))
);
create index cancellation_requests_order on cancellation_requests (order_id);
