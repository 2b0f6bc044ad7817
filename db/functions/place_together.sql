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
  rates text;
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
  rates := rates_version();
  -- `limit 1`: Postgres expects a hundred lines in each draft, and would otherwise read all of a thousand parts to find one.
  outcomes := array(
    select case
      when not wait and not (
        draft ->> 'userId' = any (buyers) and array(select value ->> 'part_id' from jsonb_array_elements(draft -> 'lines')) <@ wanted
      ) then '{"outcome": "busy"}'
      when member.version is distinct from (draft ->> 'userVersion')::integer
        -- The order was composed without an address to save, because the customer had one.
        or not draft ? 'address' and member.default_address_id is null
        -- The version before knows no rates, and must not sell where some are set: their version ends with .0 as long as none are.
        or case when draft ? 'ratesVersion' then draft ->> 'ratesVersion' <> rates else rates not like '%.0' end
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
      -- With `where draft ? 'share'`, Postgres would call the function for each draft.
      left join lateral (select case when draft ? 'share' then find_exceeded_shares(draft) end as parts) as exceeded on true
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
