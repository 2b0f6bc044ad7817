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
