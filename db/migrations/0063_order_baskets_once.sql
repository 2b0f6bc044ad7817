-- A basket is ordered as it is, and once: not when another tab or device has changed or ordered it. Drafts of older versions, which do not
-- know this outcome, do not ask for it. Otherwise as 0058_check_orders_together.sql.
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
      when (draft ->> 'checkBasket')::boolean and exists (
        select from jsonb_to_recordset(draft -> 'lines') as line (part_id text, quantity integer)
        where not exists (
          select from basket_items
          where basket_items.user_id = member.id and basket_items.part_id = line.part_id and basket_items.quantity = line.quantity
        )
      ) then '{"outcome": "basket changed"}'
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
  -- Nearly always, the stock suffices for all, and no customer has two of them that concern each other.
  if not exists (
    select from unnest(drafts, outcomes) as checked (draft, outcome), jsonb_to_recordset(draft -> 'lines') as line (part_id text, quantity integer)
    where outcome is null
    group by part_id having count(*) > 1 and sum(quantity) > (select available_quantity from parts where id = part_id)
  ) and not exists (
    select from unnest(drafts, outcomes) as checked (draft, outcome) where outcome is null
    group by draft ->> 'userId' having count(*) > 1 and bool_or(draft ? 'unpaid' or (draft ->> 'checkBasket')::boolean)
  ) then
    return outcomes;
  end if;
  for i in 1 .. cardinality(drafts) loop
    continue when outcomes[i] is not null;
    buyer := drafts[i] ->> 'userId';
    -- Concurrent orders of a customer could exceed a limit together, or be of the same basket.
    if (drafts[i] ? 'unpaid' or (drafts[i] ->> 'checkBasket')::boolean) and buyer = any (buyers) or exists (
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
