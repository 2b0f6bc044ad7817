-- Marks the items of an order as paid, stores the emails about it, and issues its invoice. The order is locked
-- (shop/payments/incoming.server.ts).
create or replace function mark_paid(wanted text, payment text, provider_name text, at timestamptz, emails jsonb, invoice jsonb)
returns void language plpgsql as $$
begin
  update order_lines set transaction_id = payment, payment_provider = provider_name, paid_at = at, expired_at = null
  where order_id = wanted and cancelled_at is null;
  update orders set ship_by = (invoice ->> 'shipBy')::date where id = wanted and invoice ? 'shipBy';
  -- Cancelled items counted a payment that the order could not take, until this one. A trigger of order_lines adds up those that are paid.
  perform update_refund_totals(wanted) where exists (
    select from order_lines where order_id = wanted and cancelled_at is not null
      and (refunded_cents, disputed_cents, pending_refund_cents, dispute) is distinct from (0, 0, 0, null)
  );
  insert into outbox (id, recipient, reply_to, thread, unsubscribe_url, subject, body, actions, attachments, next_try_at, created_at)
  select id, recipient, reply_to, thread, unsubscribe_url, subject, body, coalesce(actions, '[]'), coalesce(attachments, '[]'), next_try_at, at
  from jsonb_to_recordset(emails) as email (id text, recipient text, reply_to text, thread text, unsubscribe_url text, subject text,
    body text, actions jsonb, attachments jsonb, next_try_at timestamptz);
  perform issue_invoice(wanted, payment, invoice);
end $$;
