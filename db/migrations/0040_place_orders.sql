-- Places orders in one statement (shop/orders/place-orders.server.ts), so that others wait for the order counter and for a part only
-- while it runs. Returns an outcome for each draft; nothing is written of one that is not 'placed'. Without `wait`, the outcome is 'busy'
-- when another transaction has locked the user or a part.
create or replace function place_orders(drafts jsonb, wait boolean) returns setof jsonb language plpgsql as $$
declare
  draft jsonb;
  buyers text[] := array(select value ->> 'userId' from jsonb_array_elements(drafts));
  ordered text[] := array(
    select line.value ->> 'part_id' from jsonb_array_elements(drafts) draft, jsonb_array_elements(draft.value -> 'lines') line
  );
begin
  -- Users before parts, each by id: transactions that lock them in another order could deadlock.
  if wait then
    perform from users where id = any (buyers) order by id for no key update;
    perform from parts where id = any (ordered) order by id for no key update;
  else
    buyers := array(select id from users where id = any (buyers) order by id for no key update skip locked);
    ordered := array(select id from parts where id = any (ordered) order by id for no key update skip locked);
  end if;
  for draft in select value from jsonb_array_elements(drafts) loop
    if wait or draft ->> 'userId' = any (buyers)
      and array(select value ->> 'part_id' from jsonb_array_elements(draft -> 'lines')) <@ ordered
    then
      return next place_order(draft);
    else
      return next '{"outcome": "busy"}'::jsonb;
    end if;
  end loop;
end $$;

-- Of a draft whose user and parts are locked. Checks again what the draft was made from.
create or replace function place_order(draft jsonb) returns jsonb language plpgsql as $$
declare
  buyer text := draft ->> 'userId';
  lines jsonb := draft -> 'lines';
  header orders := jsonb_populate_record(null::orders, draft -> 'order');
  stored idempotency_keys;
  texts jsonb;
begin
  if not exists (select from users where id = buyer and token_version = (draft ->> 'tokenVersion')::integer) then
    return '{"outcome": "session ended"}';
  end if;
  select * into stored from idempotency_keys where key = draft ->> 'key';
  if found then
    return jsonb_build_object('outcome', 'repeated', 'fingerprint', stored.fingerprint, 'response', stored.response);
  end if;
  -- Concurrent orders of a customer could exceed a limit together.
  if draft ->> 'unpaid' <> (
    select count(distinct order_id) || ' ' || coalesce(sum(price), 0) from purchases
    where user_id = buyer and paid_at is null and expired_at is null and cancelled_at is null
  ) then
    return '{"outcome": "changed"}';
  end if;
  if jsonb_array_length(lines) > (
    select count(*) from parts join jsonb_to_recordset(lines)
      as line (part_id text, quantity integer, per_unit_price integer, multiple integer, price_breaks jsonb) on line.part_id = parts.id
    where parts.deleted_at is null
      and parts.available_quantity >= line.quantity
      and parts.min_quantity <= line.quantity
      and parts.per_unit_price = line.per_unit_price
      and parts.multiple = line.multiple
      and parts.price_breaks = line.price_breaks
  ) then
    return '{"outcome": "changed"}';
  end if;

  if draft ? 'address' then
    perform save_order_address(buyer, draft -> 'address');
  end if;
  update parts set available_quantity = available_quantity - line.quantity
  from jsonb_to_recordset(lines) as line (part_id text, quantity integer) where line.part_id = parts.id;
  if (draft ->> 'fromBasket')::boolean then
    delete from basket_items where user_id = buyer
      and part_id in (select part_id from jsonb_to_recordset(lines) as line (part_id text));
  end if;
  insert into orders (id, user_id, name, email, recipient, company, address, phone_number, price, line_count, created_at,
    client_network, short_hold_until)
  values (header.id, buyer, header.name, header.email, header.recipient, header.company, header.address, header.phone_number,
    header.price, header.line_count, header.created_at, header.client_network, header.short_hold_until)
  returning number into header.number;
  insert into order_lines (id, order_id, position, part_id, parts, unit_price, quantity, price)
  select id, header.id, position, part_id, parts, unit_price, quantity, price
  from jsonb_to_recordset(lines)
    as line (id text, position integer, part_id text, parts text, unit_price integer, quantity integer, price integer);
  texts := replace((draft -> 'texts')::text, draft ->> 'numberPlaceholder', (draft ->> 'numberPrefix') || header.number);
  insert into outbox (id, recipient, reply_to, subject, body, html, attachments, next_try_at, created_at)
  select id, recipient, reply_to, subject, body, html, attachments, next_try_at, header.created_at
  from jsonb_populate_recordset(null::outbox, texts -> 'emails');
  if draft ? 'key' then
    insert into idempotency_keys (key, fingerprint, response, created_at)
    values (draft ->> 'key', draft ->> 'fingerprint', texts -> 'response', header.created_at);
  end if;
  return jsonb_build_object('outcome', 'placed', 'number', header.number);
end $$;

-- When the user asked for it, or has none: then it becomes the default. Ignored if it is saved already, or as many as allowed are.
create or replace function save_order_address(buyer text, delivery jsonb) returns void language plpgsql as $$
declare
  address delivery_addresses := jsonb_populate_record(null::delivery_addresses, delivery);
  saved integer := (select count(*) from delivery_addresses where user_id = buyer);
begin
  if saved > 0 and not (delivery ->> 'asked')::boolean or saved >= (delivery ->> 'max')::integer then
    return;
  end if;
  insert into delivery_addresses (id, user_id, recipient, company, address, phone_number)
  values (address.id, buyer, address.recipient, address.company, address.address, address.phone_number)
  on conflict do nothing;
  if found then
    update users set default_address_id = address.id where id = buyer and default_address_id is null;
  end if;
end $$;
