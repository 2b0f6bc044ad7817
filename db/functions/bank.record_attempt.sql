-- The test bank's answer to a card, unless the payment intent is no longer as it was seen.
create or replace function bank.record_attempt(seen jsonb, intent jsonb, charge jsonb, events jsonb) returns boolean language plpgsql as $$
begin
  update bank.payment_intents stored
  set status = changed.status, receipt_email = changed.receipt_email, last_payment_error = changed.last_payment_error,
    latest_charge = changed.latest_charge, payment_method = changed.payment_method, card = changed.card,
    billing_details = changed.billing_details
  from jsonb_populate_record(null::bank.payment_intents, intent) changed, jsonb_populate_record(null::bank.payment_intents, seen) expected
  where stored.id = changed.id
    and (stored.status, stored.latest_charge, stored.payment_method)
      is not distinct from (expected.status, expected.latest_charge, expected.payment_method);
  if not found then
    return false;
  end if;
  insert into bank.charges (id, payment_intent, amount, captured, amount_captured, amount_refunded, disputed, currency, status, card,
    billing_details, payment_method, authenticated, failure, created)
  select id, payment_intent, amount, captured, amount_captured, amount_refunded, disputed, currency, status, card,
    billing_details, payment_method, authenticated, failure, created
  from jsonb_populate_record(null::bank.charges, charge) where id is not null;
  insert into bank.events (id, type, data, api_version, request, created, next_try_at)
  select id, type, data, api_version, request, created, next_try_at
  from jsonb_populate_recordset(null::bank.events, events);
  return true;
end $$;
