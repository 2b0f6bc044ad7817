-- Checks the orders of a batch in one statement, and writes them in one: what Postgres does to begin a statement takes longer than what it
-- does for a row. Otherwise as 0043_place_orders_together.sql, 0055_html_when_sent.sql and 0057_check_members.sql.
create or replace function place_orders(drafts jsonb, wait boolean) returns setof jsonb language plpgsql
-- Otherwise the statements would be planned for each batch, which takes a fifth of the time.
set plan_cache_mode = force_generic_plan as $$
declare
  sent jsonb[] := array(select value from jsonb_array_elements(drafts));
  buyers text[] := array(select draft ->> 'userId' from unnest(sent) as draft);
  ordered text[] := array(
    select line.value ->> 'part_id' from unnest(sent) as draft, jsonb_array_elements(draft -> 'lines') as line
  );
  outcomes jsonb[];
  accepted integer[];
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
  -- `limit 1`: Postgres expects a hundred lines in each draft, and would otherwise read all of a thousand parts to find one.
  -- Null for a draft that could be placed alone. Checks again what each was made from, also the names: all of it may have been read up to
  -- a minute ago. Drafts of older versions have no `member`.
  outcomes := array(
    select case
      when not wait and not (
        draft ->> 'userId' = any (buyers) and array(select value ->> 'part_id' from jsonb_array_elements(draft -> 'lines')) <@ ordered
      ) then '{"outcome": "busy"}'
      when member.id is null then '{"outcome": "session ended"}'
      when stored.key is not null
        then jsonb_build_object('outcome', 'repeated', 'fingerprint', stored.fingerprint, 'response', stored.response)
      when draft ? 'member' and (
        draft -> 'member' <>
          jsonb_build_object('name', member.name, 'email', member.email, 'isConfirmed', member.email_confirmed_at is not null)
        -- The address would have to be saved.
        or not draft ? 'address' and member.default_address_id is null
      ) then '{"outcome": "changed"}'
      when draft ? 'unpaid' and draft ->> 'unpaid' <> (
        select count(distinct order_id) || ' ' || coalesce(sum(price), 0) from purchases
        where user_id = member.id and paid_at is null and expired_at is null and cancelled_at is null
      ) then '{"outcome": "changed"}'
      when jsonb_array_length(draft -> 'lines') > (
        select count(*) from jsonb_to_recordset(draft -> 'lines')
          as line (part_id text, parts text, quantity integer, per_unit_price integer, multiple integer, price_breaks jsonb),
          lateral (
            select from parts where parts.id = line.part_id
              and parts.deleted_at is null
              and parts.available_quantity >= line.quantity
              and parts.min_quantity <= line.quantity
              and parts.per_unit_price = line.per_unit_price
              and parts.multiple = line.multiple
              and parts.price_breaks = line.price_breaks
              and parts.name = line.parts
            limit 1
          ) as unchanged
      ) then '{"outcome": "changed"}'
    end
    from unnest(sent) with ordinality as sent (draft, index)
      left join lateral (
        select * from users where users.id = draft ->> 'userId' and token_version = (draft ->> 'tokenVersion')::integer limit 1
      ) as member on true
      left join lateral (select * from idempotency_keys where idempotency_keys.key = draft ->> 'key' limit 1) as stored on true
    order by index
  );
  if cardinality(sent) > 1 then
    outcomes := refuse_what_is_taken(sent, outcomes);
  end if;
  accepted := array(select index from generate_subscripts(outcomes, 1) as index where outcomes[index] is null);
  if accepted <> '{}' then
    before := write_orders(array(select sent[index] from unnest(accepted) as index));
    for i in 1 .. cardinality(accepted) loop
      outcomes[accepted[i]] := jsonb_build_object('outcome', 'placed', 'number', before + i);
    end loop;
  end if;
  return query select unnest(outcomes);
end $$;

-- The outcomes with those of the drafts that cannot be placed together with the ones before them.
create or replace function refuse_what_is_taken(drafts jsonb[], outcomes jsonb[]) returns jsonb[] language plpgsql as $$
declare
  buyer text;
  buyers text[] := '{}';
  taken jsonb := '{}';
begin
  -- Nearly always, the stock suffices for all, and no limited customer has two of them.
  if not exists (
    select from unnest(drafts, outcomes) as checked (draft, outcome), jsonb_to_recordset(draft -> 'lines') as line (part_id text, quantity integer)
    where outcome is null
    group by part_id having count(*) > 1 and sum(quantity) > (select available_quantity from parts where id = part_id)
  ) and not exists (
    select from unnest(drafts, outcomes) as checked (draft, outcome) where outcome is null
    group by draft ->> 'userId' having count(*) > 1 and bool_or(draft ? 'unpaid')
  ) then
    return outcomes;
  end if;
  for i in 1 .. cardinality(drafts) loop
    continue when outcomes[i] is not null;
    buyer := drafts[i] ->> 'userId';
    -- Concurrent orders of a customer could exceed a limit together.
    if drafts[i] ? 'unpaid' and buyer = any (buyers) or exists (
      select from jsonb_to_recordset(drafts[i] -> 'lines') as line (part_id text, quantity integer)
      where (select available_quantity from parts where id = part_id) - coalesce((taken ->> part_id)::integer, 0) < quantity
    ) then
      outcomes[i] := '{"outcome": "changed"}';
      continue;
    end if;
    buyers := buyers || buyer;
    taken := taken || (
      select jsonb_object_agg(part_id, coalesce((taken ->> part_id)::integer, 0) + quantity)
      from jsonb_to_recordset(drafts[i] -> 'lines') as line (part_id text, quantity integer)
    );
  end loop;
  return outcomes;
end $$;

drop function if exists refusal_of(jsonb, jsonb, text[]);

-- Returns the number before that of the first draft; the others follow it. Texts are JSON, in which the order's number replaces a
-- placeholder; older versions send them as an object.
create or replace function write_orders(drafts jsonb[]) returns bigint language plpgsql as $$
declare
  before bigint;
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
    actions jsonb, html text, attachments jsonb, next_try_at timestamptz);
  return before;
end $$;

-- Whoever inserts a line with both need not have them looked up.
drop trigger if exists copy_order on order_lines;
drop trigger if exists copy_order_again on order_lines;
create trigger copy_order before insert on order_lines for each row when (new.order_number is null or new.search_text is null)
  execute function copy_order_to_line();
create trigger copy_order_again before update of parts on order_lines for each row execute function copy_order_to_line();
