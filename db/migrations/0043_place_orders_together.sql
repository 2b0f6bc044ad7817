-- Places orders in one statement (shop/orders/place-orders.server.ts), so that others wait for the order counter and for a part only
-- while it runs. Returns an outcome for each draft; nothing is written of one that is not 'placed'. Without `wait`, the outcome is 'busy'
-- when another transaction has locked the user or a part. Orders are written together: what Postgres does to begin a statement takes
-- longer than what it does for a row.
create or replace function place_orders(drafts jsonb, wait boolean) returns setof jsonb language plpgsql as $$
declare
  draft jsonb;
  lines jsonb;
  buyer text;
  buyers text[] := array(select value ->> 'userId' from jsonb_array_elements(drafts));
  ordered text[] := array(
    select line.value ->> 'part_id' from jsonb_array_elements(drafts) draft, jsonb_array_elements(draft.value -> 'lines') line
  );
  outcome jsonb;
  outcomes jsonb[] := '{}';
  -- Of the drafts so far: the indexes and buyers of those to place, and the quantities of parts that they take.
  placed integer[] := '{}';
  placed_buyers text[] := '{}';
  taken jsonb := '{}';
  before bigint;
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
    buyer := draft ->> 'userId';
    lines := draft -> 'lines';
    if not wait and not (buyer = any (buyers) and array(select value ->> 'part_id' from jsonb_array_elements(lines)) <@ ordered) then
      outcome := '{"outcome": "busy"}';
    else
      outcome := refusal_of(draft, taken, placed_buyers);
    end if;
    outcomes := array_append(outcomes, outcome);
    continue when outcome is not null;
    placed := placed || cardinality(outcomes);
    placed_buyers := placed_buyers || buyer;
    taken := taken || (
      select jsonb_object_agg(part_id, coalesce((taken ->> part_id)::integer, 0) + quantity)
      from jsonb_to_recordset(lines) as line (part_id text, quantity integer)
    );
    if draft ? 'address' then
      perform save_order_address(buyer, draft -> 'address');
    end if;
    if (draft ->> 'fromBasket')::boolean then
      delete from basket_items where user_id = buyer
        and part_id in (select part_id from jsonb_to_recordset(lines) as line (part_id text));
    end if;
  end loop;
  if placed <> '{}' then
    update parts set available_quantity = available_quantity - value::integer from jsonb_each_text(taken) where key = parts.id;
    before := write_orders(array(
      select value from jsonb_array_elements(drafts) with ordinality as draft (value, index) where index = any (placed) order by index
    ));
    for i in 1 .. cardinality(placed) loop
      outcomes[placed[i]] := jsonb_build_object('outcome', 'placed', 'number', before + i);
    end loop;
  end if;
  return query select unnest(outcomes);
end $$;

-- Of a draft whose user and parts are locked: an outcome, or null when it can be placed. Checks again what the draft was made from.
-- `taken` and `buyers` are of the drafts that are placed with it.
create or replace function refusal_of(draft jsonb, taken jsonb, buyers text[]) returns jsonb language plpgsql as $$
declare
  buyer text := draft ->> 'userId';
  lines jsonb := draft -> 'lines';
  stored idempotency_keys;
begin
  if not exists (select from users where id = buyer and token_version = (draft ->> 'tokenVersion')::integer) then
    return '{"outcome": "session ended"}';
  end if;
  if draft ? 'key' then
    select * into stored from idempotency_keys where key = draft ->> 'key';
    if found then
      return jsonb_build_object('outcome', 'repeated', 'fingerprint', stored.fingerprint, 'response', stored.response);
    end if;
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
      as line (part_id text, quantity integer, per_unit_price integer, multiple integer, price_breaks jsonb) on line.part_id = parts.id
    where parts.deleted_at is null
      and parts.available_quantity - coalesce((taken ->> parts.id)::integer, 0) >= line.quantity
      and parts.min_quantity <= line.quantity
      and parts.per_unit_price = line.per_unit_price
      and parts.multiple = line.multiple
      and parts.price_breaks = line.price_breaks
  ) then
    return '{"outcome": "changed"}';
  end if;
  return null;
end $$;

drop function if exists place_order;

-- Returns the number before that of the first draft; the others follow it.
create or replace function write_orders(drafts jsonb[]) returns bigint language plpgsql as $$
declare
  before bigint;
begin
  insert into order_counter as counter (last_number) values (1000 + cardinality(drafts))
  on conflict (one) do update set last_number = counter.last_number + cardinality(drafts)
  returning last_number - cardinality(drafts) into before;
  insert into orders (number, id, user_id, name, email, recipient, company, address, phone_number, price, line_count, created_at,
    client_network, short_hold_until)
  select before + index, header.id, draft ->> 'userId', name, email, recipient, company, address, phone_number, price, line_count, created_at,
    client_network, short_hold_until
  from unnest(drafts) with ordinality as drafts (draft, index), jsonb_populate_record(null::orders, draft -> 'order') header;
  insert into order_lines (id, order_id, position, part_id, parts, unit_price, quantity, price)
  select id, draft -> 'order' ->> 'id', position, part_id, parts, unit_price, quantity, price
  from unnest(drafts) as drafts (draft), jsonb_to_recordset(draft -> 'lines')
    as line (id text, position integer, part_id text, parts text, unit_price integer, quantity integer, price integer);
  with written as materialized (
    select draft, draft -> 'order' ->> 'created_at' as created_at,
      replace((draft -> 'texts')::text, draft ->> 'numberPlaceholder', (draft ->> 'numberPrefix') || before + index)::jsonb as texts
    from unnest(drafts) with ordinality as drafts (draft, index)
  ), keys as (
    insert into idempotency_keys (key, fingerprint, response, created_at)
    select draft ->> 'key', draft ->> 'fingerprint', texts -> 'response', created_at::timestamptz from written where draft ? 'key'
  )
  insert into outbox (id, recipient, reply_to, subject, body, html, attachments, next_try_at, created_at)
  select id, recipient, reply_to, subject, body, html, attachments, next_try_at, written.created_at::timestamptz
  from written, jsonb_populate_recordset(null::outbox, texts -> 'emails');
  return before;
end $$;
