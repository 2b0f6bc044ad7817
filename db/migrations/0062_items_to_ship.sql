-- The items that an admin can ship: none of an order whose payment is disputed. In a live shop, the list filters by the provider.
drop index order_lines_pending;
create index order_lines_pending on order_lines (order_number, position) include (payment_provider)
  where paid_at is not null and shipped_at is null and refunded_cents + pending_refund_cents < price * 100
    and shipped_quantity + returned_quantity < quantity and cancelled_at is null and (dispute is null or dispute = 'won');
