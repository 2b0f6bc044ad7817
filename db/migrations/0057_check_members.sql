-- Of a draft whose user and parts are locked: an outcome, or null when it can be placed. Checks again what the draft was made from, also
-- the names: all of it may have been read up to a minute ago. Drafts of older versions have no `member`.
create or replace function refusal_of(draft jsonb, taken jsonb, buyers text[]) returns jsonb language plpgsql as $$
declare
  buyer text := draft ->> 'userId';
  lines jsonb := draft -> 'lines';
  member users;
  stored idempotency_keys;
begin
  select * into member from users where id = buyer and token_version = (draft ->> 'tokenVersion')::integer;
  if not found then
    return '{"outcome": "session ended"}';
  end if;
  if draft ? 'key' then
    select * into stored from idempotency_keys where key = draft ->> 'key';
    if found then
      return jsonb_build_object('outcome', 'repeated', 'fingerprint', stored.fingerprint, 'response', stored.response);
    end if;
  end if;
  if draft ? 'member' and (
    draft -> 'member' <> jsonb_build_object('name', member.name, 'email', member.email, 'isConfirmed', member.email_confirmed_at is not null)
    -- The address would have to be saved.
    or not draft ? 'address' and member.default_address_id is null
  ) then
    return '{"outcome": "changed"}';
  end if;
  -- Concurrent orders of a customer could exceed a limit together.
  if draft ? 'unpaid' and (buyer = any (buyers) or draft ->> 'unpaid' <> (
    select count(distinct order_id) || ' ' || coalesce(sum(price), 0) from purchases
    where user_id = buyer and paid_at is null and expired_at is null and cancelled_at is null
  )) then
    return '{"outcome": "changed"}';
  end if;
  if jsonb_array_length(lines) > (
    select count(*) from parts join jsonb_to_recordset(lines)
      as line (part_id text, parts text, quantity integer, per_unit_price integer, multiple integer, price_breaks jsonb)
      on line.part_id = parts.id
    where parts.deleted_at is null
      and parts.available_quantity - coalesce((taken ->> parts.id)::integer, 0) >= line.quantity
      and parts.min_quantity <= line.quantity
      and parts.per_unit_price = line.per_unit_price
      and parts.multiple = line.multiple
      and parts.price_breaks = line.price_breaks
      and parts.name = line.parts
  ) then
    return '{"outcome": "changed"}';
  end if;
  return null;
end $$;
