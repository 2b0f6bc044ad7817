-- Raised by all that orders are composed from but the stock: an order is placed only if neither has changed since it was read.
alter table parts add column version integer not null default 1;
alter table users add column version integer not null default 1;
create function raise_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger raise_version before update of name, per_unit_price, min_quantity, multiple, price_breaks, deleted_at on parts for each row
  when ((old.name, old.per_unit_price, old.min_quantity, old.multiple, old.price_breaks, old.deleted_at)
    is distinct from (new.name, new.per_unit_price, new.min_quantity, new.multiple, new.price_breaks, new.deleted_at))
  execute function raise_version();
create trigger raise_version before update of name, email, email_confirmed_at, role, token_version on users for each row
  when ((old.name, old.email, old.email_confirmed_at, old.role, old.token_version)
    is distinct from (new.name, new.email, new.email_confirmed_at, new.role, new.token_version))
  execute function raise_version();
-- Counts an email within each of these limits, like RateLimiterDrizzle; false, without counting it, when one is reached.
create or replace function count_email(limits jsonb) returns boolean language plpgsql as $$
declare
  is_reached boolean;
begin
  with counted as (
    insert into rate_limits (key, points, expire)
    select value ->> 'key', 1, now() + (value ->> 'seconds')::integer * interval '1 second'
    from jsonb_array_elements(limits) with ordinality order by ordinality
    on conflict (key) do update set
      points = case when rate_limits.expire <= now() then 1 else rate_limits.points + 1 end,
      expire = case when rate_limits.expire <= now() then excluded.expire else rate_limits.expire end
    returning key, points
  )
  select bool_or(points > max) into is_reached from counted join jsonb_to_recordset(limits) as allowed (key text, max integer) using (key);
  if is_reached then
    update rate_limits set points = points - 1 where key in (select value ->> 'key' from jsonb_array_elements(limits));
  end if;
  return not is_reached;
end $$;
-- How many of each part the customer of a draft may hold, for the parts of which the draft wants more; null when there is none. Counted is
-- what customers hold beyond ten times what they have paid, up to each order: many small ones are no more trusted than a large one.
create or replace function find_exceeded_shares(draft jsonb) returns jsonb language sql stable as $$
  with wanted as (
    select line.*, available_quantity
    from jsonb_to_recordset(draft -> 'lines') as line (part_id text, quantity integer, is_lowest boolean) join parts on parts.id = part_id
  ), awaiting_payment as (
    select * from purchases where paid_at is null and expired_at is null and cancelled_at is null
      and user_id in (
        select user_id from purchases
        where part_id in (select part_id from wanted) and paid_at is null and expired_at is null and cancelled_at is null
      )
  ), counted_orders as (
    select user_id, part_id, client_network, quantity, 100 * sum(price) over (partition by user_id order by number, position) as cents
    from awaiting_payment
  ), paid as (
    select orders.user_id, sum(ledger.amount_cents) as cents
    from ledger join orders on orders.id = ledger.order_id left join payments on payments.id = ledger.payment_id
    where orders.user_id in (select user_id from awaiting_payment)
      and coalesce(payments.provider, draft -> 'share' ->> 'provider') in (draft -> 'share' ->> 'provider', 'stripe live')
    group by orders.user_id
  ), held as (
    select part_id, sum(quantity) filter (where user_id = draft ->> 'userId') as own,
      sum(quantity) filter (where user_id = draft ->> 'userId' or client_network = draft -> 'order' ->> 'client_network') as network,
      sum(quantity) as all_together
    from counted_orders left join paid using (user_id)
    where counted_orders.cents > 10 * coalesce(paid.cents, 0) group by part_id
  ), shares as (
    select wanted.*, coalesce(network, 0) as network, coalesce(all_together, 0) as all_together,
      available_quantity + coalesce(all_together, 0) as total, is_lowest and own is null as is_first
    from wanted left join held using (part_id)
  ), allowed as (
    select part_id, quantity, case
      -- A first order of the lowest quantity passes when nobody of the network holds any.
      when is_first and network = 0 then quantity
      else least(
        total * (draft -> 'share' ->> case when is_first then 'percentOfFirst' else 'percent' end)::integer / 100 - network,
        total * (draft -> 'share' ->> 'percentOfAll')::integer / 100 - all_together
      )
    end as quantity_allowed
    from shares
  )
  select jsonb_object_agg(part_id, quantity_allowed) from allowed where quantity > quantity_allowed
$$;
-- Places orders that arrived together, all in one transaction, and returns an outcome for each. `sent` is as `toJson` in
-- shop/orders/place/write.server.ts makes it. Without `wait`, an order of a customer or a part that another transaction has locked is 'busy'.
create or replace function place_together(sent jsonb, wait boolean) returns setof jsonb language plpgsql
-- Otherwise the statements would be planned for each batch, which takes a fifth of the time.
set plan_cache_mode = force_generic_plan as $$
declare
  drafts jsonb[] := array(select value from jsonb_array_elements(sent));
  buyers text[] := array(select draft ->> 'userId' from unnest(drafts) as draft);
  wanted text[] := array(
    select line.value ->> 'part_id' from unnest(drafts) as draft, jsonb_array_elements(draft -> 'lines') as line
  );
  outcomes jsonb[];
  accepted integer[];
  before bigint;
begin
  -- Users before parts, each by id: transactions that lock them in another order could deadlock.
  if wait then
    perform from users where id = any (buyers) order by id for no key update;
    perform from parts where id = any (wanted) order by id for no key update;
  else
    buyers := array(select id from users where id = any (buyers) order by id for no key update skip locked);
    wanted := array(select id from parts where id = any (wanted) order by id for no key update skip locked);
  end if;
  -- `limit 1`: Postgres expects a hundred lines in each draft, and would otherwise read all of a thousand parts to find one.
  outcomes := array(
    select case
      when not wait and not (
        draft ->> 'userId' = any (buyers) and array(select value ->> 'part_id' from jsonb_array_elements(draft -> 'lines')) <@ wanted
      ) then '{"outcome": "busy"}'
      when member.version is distinct from (draft ->> 'userVersion')::integer
        -- The address would have to be saved.
        or not draft ? 'address' and member.default_address_id is null
        then '{"outcome": "changed"}'
      when stored.key is not null
        then jsonb_build_object('outcome', 'repeated', 'fingerprint', stored.fingerprint, 'response', stored.response)
      when (draft ->> 'fromBasket')::boolean and exists (
        select from jsonb_to_recordset(draft -> 'lines') as line (part_id text, quantity integer)
        where not exists (
          select from basket_items
          where basket_items.user_id = member.id and basket_items.part_id = line.part_id and basket_items.quantity = line.quantity
        )
      ) then '{"outcome": "basket changed"}'
      when draft ? 'unpaid' and draft ->> 'unpaid' <> (
        select count(distinct order_id) || ' ' || coalesce(sum(price), 0) from purchases
        where user_id = member.id and paid_at is null and expired_at is null and cancelled_at is null
      ) then '{"outcome": "changed"}'
      when jsonb_array_length(draft -> 'lines') > (
        select count(*) from jsonb_to_recordset(draft -> 'lines') as line (part_id text, part_version integer, quantity integer),
          lateral (
            select from parts
            where parts.id = line.part_id and parts.version = line.part_version and parts.available_quantity >= line.quantity
            limit 1
          ) as unchanged
      ) then '{"outcome": "changed"}'
      when exceeded.parts is not null then jsonb_build_object('outcome', 'share exceeded', 'parts', exceeded.parts)
    end
    from unnest(drafts) with ordinality as drafts (draft, index)
      left join lateral (select id, version, default_address_id from users where users.id = draft ->> 'userId' limit 1) as member on true
      left join lateral (select * from idempotency_keys where idempotency_keys.key = draft ->> 'key' limit 1) as stored on true
      left join lateral (select find_exceeded_shares(draft) as parts where draft ? 'share') as exceeded on true
    order by index
  );
  if cardinality(drafts) > 1 then
    outcomes := refuse_together(drafts, outcomes);
  end if;
  accepted := array(select index from generate_subscripts(outcomes, 1) as index where outcomes[index] is null);
  if accepted <> '{}' then
    before := write_together(array(select drafts[index] from unnest(accepted) as index));
    for i in 1 .. cardinality(accepted) loop
      outcomes[accepted[i]] := jsonb_build_object('outcome', 'placed', 'number', before + i);
    end loop;
  end if;
  return query select unnest(outcomes);
end $$;
-- The outcomes with those of the drafts that cannot be placed together with the ones before them: 'changed' is composed again, 'next' as it is.
create or replace function refuse_together(drafts jsonb[], outcomes jsonb[]) returns jsonb[] language plpgsql as $$
declare
  buyers text[] := '{}';
  taken jsonb := '{}';
begin
  -- Nearly always, the stock suffices for all, and no two concern each other.
  if not exists (
    select from unnest(drafts, outcomes) as checked (draft, outcome), jsonb_to_recordset(draft -> 'lines') as line (part_id text, quantity integer)
    where outcome is null
    group by part_id
    having count(*) > 1 and (sum(quantity) > (select available_quantity from parts where id = part_id) or bool_or(draft ? 'share'))
  ) and not exists (
    select from unnest(drafts, outcomes) as checked (draft, outcome) where outcome is null
    group by draft ->> 'userId' having count(*) > 1 and bool_or(draft ? 'unpaid' or (draft ->> 'fromBasket')::boolean)
  ) then
    return outcomes;
  end if;
  for i in 1 .. cardinality(drafts) loop
    continue when outcomes[i] is not null;
    -- Concurrent orders of a customer could exceed a limit together, or be of the same basket.
    if (drafts[i] ? 'unpaid' or (drafts[i] ->> 'fromBasket')::boolean) and drafts[i] ->> 'userId' = any (buyers) or exists (
      select from jsonb_to_recordset(drafts[i] -> 'lines') as line (part_id text, quantity integer)
      where (select available_quantity from parts where id = part_id) - coalesce((taken ->> part_id)::integer, 0) < quantity
    ) then
      outcomes[i] := '{"outcome": "changed"}';
    -- What those before hold of a part was not counted.
    elsif drafts[i] ? 'share' and exists (
      select from jsonb_array_elements(drafts[i] -> 'lines') as line where taken ? (line ->> 'part_id')
    ) then
      outcomes[i] := '{"outcome": "next"}';
    else
      buyers := buyers || (drafts[i] ->> 'userId');
      taken := taken || (
        select jsonb_object_agg(part_id, coalesce((taken ->> part_id)::integer, 0) + quantity)
        from jsonb_to_recordset(drafts[i] -> 'lines') as line (part_id text, quantity integer)
      );
    end if;
  end loop;
  return outcomes;
end $$;
-- Returns the number before that of the first draft; the others follow it. Texts are JSON, in which the order's number replaces a
-- placeholder.
create or replace function write_together(drafts jsonb[]) returns bigint language plpgsql as $$
declare
  before bigint;
  emailed boolean[] := array(
    select not draft ? 'emailLimits' or count_email(draft -> 'emailLimits') from unnest(drafts) with ordinality as drafts (draft, index) order by index
  );
begin
  perform save_order_address(draft ->> 'userId', draft -> 'address') from unnest(drafts) as draft where draft ? 'address';
  delete from basket_items using unnest(drafts) as draft, jsonb_to_recordset(draft -> 'lines') as line (part_id text)
    where (draft ->> 'fromBasket')::boolean and basket_items.user_id = draft ->> 'userId' and basket_items.part_id = line.part_id
      and basket_items.user_id = any (array(select value ->> 'userId' from unnest(drafts) as value where (value ->> 'fromBasket')::boolean));
  insert into order_counter as counter (last_number) values (1000 + cardinality(drafts))
  on conflict (one) do update set last_number = counter.last_number + cardinality(drafts)
  returning last_number - cardinality(drafts) into before;
  with written as materialized (
    select draft -> 'order' as header, draft -> 'lines' as lines, draft ->> 'userId' as user_id, before + index as number,
      draft ->> 'key' as key, draft ->> 'fingerprint' as fingerprint, (draft -> 'order' ->> 'created_at')::timestamptz as created_at,
      emailed[index] as is_emailed,
      replace(draft ->> 'texts', draft ->> 'numberPlaceholder', (draft ->> 'numberPrefix') || before + index)::jsonb as texts
    from unnest(drafts) with ordinality as drafts (draft, index)
  ), added as materialized (
    select written.number, line.*
    from written, jsonb_to_recordset(lines)
      as line (id text, position integer, part_id text, parts text, unit_price integer, quantity integer, price integer)
  ), taken as (
    update parts set available_quantity = available_quantity - total
    from (select part_id, sum(quantity) as total from added group by part_id) as sold
    where sold.part_id = parts.id and parts.id = any (array(select part_id from added))
  ), placed as (
    insert into orders (number, id, user_id, name, email, recipient, company, address, phone_number, price, line_count, created_at,
      client_network, short_hold_until)
    select written.number, id, user_id, name, email, recipient, company, address, phone_number, price, line_count, created_at,
      client_network, short_hold_until
    from written, jsonb_to_record(header) as header (id text, name text, email text, recipient text, company text, address text,
      phone_number text, price integer, line_count integer, client_network text, short_hold_until timestamptz)
    returning orders.number, orders.id, orders.search_text
  ), lines as (
    insert into order_lines (id, order_id, position, part_id, parts, unit_price, quantity, price, order_number, search_text)
    select added.id, placed.id, position, part_id, parts, unit_price, quantity, price, number, placed.search_text || ' ' || fold(parts)
    from added join placed using (number)
  ), keys as (
    insert into idempotency_keys (key, fingerprint, response, created_at)
    select key, fingerprint, texts -> 'response', created_at from written where key is not null
  )
  insert into outbox (id, recipient, reply_to, subject, body, actions, html, attachments, next_try_at, created_at)
  select id, recipient, reply_to, subject, body, coalesce(actions, '[]'), html, coalesce(attachments, '[]'), next_try_at, created_at
  from written, jsonb_to_recordset(texts -> 'emails') as email (id text, recipient text, reply_to text, subject text, body text,
    actions jsonb, html text, attachments jsonb, next_try_at timestamptz)
  where is_emailed;
  return before;
end $$;
