-- Makes a payment the open one of its order, in one statement (shop/payments/payments.server.ts). False when the order has another open
-- payment, or its total is another one. `expected` is in cents, and in dollars from the version before, which does not say `in_cents`.
drop function if exists attach_payment(text, integer, text, text, timestamptz, timestamptz, timestamptz);
create or replace function attach_payment(
  wanted text, expected integer, payment text, provider text, active_at timestamptz, next_check_at timestamptz, hold timestamptz,
  in_cents boolean default false
) returns boolean language plpgsql as $$
begin
  perform from orders where id = wanted for update;
  if expected * (case when in_cents then 1 else 100 end) is distinct from (
    select sum(price * 100 + added_cents) + max(delivery_cents) from purchases
    where order_id = wanted and paid_at is null and expired_at is null and cancelled_at is null
  ) then
    return false;
  end if;
  insert into payments (id, order_id, provider, active_at, checked_at, next_check_at)
  values (payment, wanted, provider, active_at, active_at, next_check_at)
  on conflict do nothing;
  update orders set short_hold_until = hold where id = wanted and short_hold_until is not null;
  return exists (select from payments where id = payment and order_id = wanted and settled_at is null);
end $$;
