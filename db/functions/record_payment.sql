-- Records that a payment has arrived: in the ledger, as settled, and the event that told of it as processed. If that is new, and there are
-- emails, it pays its order. `expected` are the lines of the order as they were read. Returns 'new', 'known', or, having recorded nothing,
-- 'changed'.
create or replace function record_payment(
  payment text, wanted text, provider_name text, cents integer, event text, at timestamptz, next_check timestamptz, expected jsonb,
  emails jsonb, invoice jsonb
) returns text language plpgsql as $$
begin
  perform from orders where id = wanted for update;
  -- The version before expects prices without delivery and tax.
  if jsonb_array_length(expected -> 0) = 5 then
    select jsonb_agg(jsonb_build_array(line -> 0, (line -> 1)::integer * 100, 0, 0, null, line -> 2, line -> 3, line -> 4) order by place)
    from jsonb_array_elements(expected) with ordinality as lines (line, place) into expected;
  end if;
  if expected is distinct from (
    select jsonb_agg(
      jsonb_build_array(id, price * 100 + added_cents, delivery_cents, tax_cents, tax_label, paid_at is not null, expired_at is not null,
        cancelled_at is not null) order by position
    ) from purchases where order_id = wanted
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
