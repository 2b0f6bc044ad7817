-- Issues the invoice of an order (shop/documents/issue.server.ts). An order keeps the names of its parts, but not their numbers. Call it
-- last: the counter stays locked until the transaction ends.
create or replace function issue_invoice(wanted text, payment text, invoice jsonb) returns invoices language plpgsql as $$
declare
  issued invoices;
begin
  insert into invoices (id, kind, prefix, number, order_id, reference, content, created_at)
  values (
    invoice ->> 'id', 'invoice', invoice ->> 'prefix', next_invoice_number('invoice', (invoice ->> 'firstNumber')::bigint), wanted, payment,
    invoice -> 'content' || jsonb_build_object('lines', (
      select jsonb_agg(line - 'partId' || jsonb_build_object('partNumber', part_number) order by position)
      from jsonb_array_elements(invoice -> 'lines') with ordinality as billed (line, position)
      join parts on parts.id = line ->> 'partId'
    )),
    (invoice ->> 'createdAt')::timestamptz
  )
  returning * into issued;
  return issued;
end $$;

-- Marks the items of an order as paid, stores the emails about it, and issues its invoice. The order is locked
-- (shop/payments/incoming.server.ts).
create or replace function mark_paid(wanted text, payment text, provider_name text, at timestamptz, emails jsonb, invoice jsonb)
returns void language plpgsql as $$
begin
  update order_lines set transaction_id = payment, payment_provider = provider_name, paid_at = at, expired_at = null
  where order_id = wanted and cancelled_at is null;
  insert into outbox (id, recipient, reply_to, thread, unsubscribe_url, subject, body, actions, attachments, next_try_at, created_at)
  select id, recipient, reply_to, thread, unsubscribe_url, subject, body, coalesce(actions, '[]'), coalesce(attachments, '[]'), next_try_at, at
  from jsonb_to_recordset(emails) as email (id text, recipient text, reply_to text, thread text, unsubscribe_url text, subject text,
    body text, actions jsonb, attachments jsonb, next_try_at timestamptz);
  perform issue_invoice(wanted, payment, invoice);
end $$;

-- Records that a payment has arrived: in the ledger, as settled, and the event that told of it as processed. If that is new, and there are
-- emails, it pays its order. `expected` are the lines of the order as they were read. Returns 'new', 'known', or, having recorded nothing,
-- 'changed'.
create or replace function record_payment(
  payment text, wanted text, provider_name text, cents integer, event text, at timestamptz, next_check timestamptz, expected jsonb,
  emails jsonb, invoice jsonb
) returns text language plpgsql as $$
begin
  perform from orders where id = wanted for update;
  if expected is distinct from (
    select jsonb_agg(
      jsonb_build_array(id, price, paid_at is not null, expired_at is not null, cancelled_at is not null) order by position
    ) from order_lines where order_id = wanted
  ) then
    return 'changed';
  end if;
  insert into payments (id, order_id, provider, active_at, checked_at, next_check_at, settled_at)
  values (payment, wanted, provider_name, at, at, next_check, at)
  on conflict (id) do update set active_at = at, next_check_at = next_check, settled_at = at where payments.settled_at is null;
  if event is not null then
    insert into webhook_events (id, created_at) values (event, at) on conflict do nothing;
  end if;
  insert into ledger (order_id, payment_id, reference, kind, amount_cents, at)
  values (wanted, payment, payment, 'payment', cents, at)
  on conflict do nothing;
  if not found then
    return 'known';
  end if;
  if emails is not null then
    perform mark_paid(wanted, payment, provider_name, at, emails, invoice);
  end if;
  return 'new';
end $$;

-- Creates a payment intent of the test bank with its event (providers/payments/bank/intents.ts). With a request, only if it is the first
-- one with its key; returns whether it was created.
create or replace function bank.create_intent(request jsonb, intent jsonb, event jsonb) returns boolean language plpgsql as $$
begin
  if request is not null then
    insert into bank.requests (key, request, request_id, status, answer, created)
    select key, requested.request, request_id, status, answer, created
    from jsonb_populate_record(null::bank.requests, create_intent.request) as requested
    where pg_try_advisory_xact_lock(hashtext('bank.requests'), hashtext(key))
    on conflict do nothing;
    if not found then
      return false;
    end if;
  end if;
  insert into bank.events (id, type, data, api_version, request, created, next_try_at)
  select id, type, data, api_version, caused.request, created, next_try_at
  from jsonb_populate_record(null::bank.events, event) as caused;
  insert into bank.payment_intents (id, client_secret, amount, currency, status, capture_method, description, metadata, receipt_email,
    automatic_payment_methods, created)
  select id, client_secret, amount, currency, status, capture_method, description, metadata, receipt_email,
    automatic_payment_methods, created
  from jsonb_populate_record(null::bank.payment_intents, intent);
  return true;
end $$;
