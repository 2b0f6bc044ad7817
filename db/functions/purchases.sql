-- The SPEC's purchases: each line with what its order says. A view has new columns at its end.
create or replace view purchases as
  select l.id, l.order_id, l.position, l.order_number as number, o.user_id, l.part_id, o.name, o.email, l.parts, l.unit_price, l.quantity, l.price,
    o.address, o.phone_number, l.transaction_id, l.payment_provider, o.created_at, l.paid_at, l.shipped_at, l.expired_at, l.cancelled_at,
    l.shipped_quantity, l.returned_quantity, o.reminded_at, o.client_network, o.short_hold_until, l.refunded_cents, l.disputed_cents,
    l.pending_refund_cents, l.dispute, o.price as order_price, o.line_count, l.search_text, o.recipient, o.company,
    o.refunded_cents as order_refunded_cents, l.inquiry, o.ship_by, o.country, o.region, o.postcode, o.town, l.added_cents, l.tax_cents,
    l.tax_label, o.charges, o.delivery_cents, o.refunded_delivery_cents, o.pending_delivery_cents, o.collected
  from order_lines l join orders o on o.id = l.order_id;
