-- How many of each part the customer of a draft may hold, for the parts of which the draft wants more; null when there is none. Counted is
-- what customers hold beyond `trustFactor` times what they have paid, up to each order: many small ones are no more trusted than a large one.
create or replace function find_exceeded_shares(draft jsonb) returns jsonb language sql stable as $$
  with wanted as (
    select line.*, available_quantity
    from jsonb_to_recordset(draft -> 'lines') as line (part_id text, quantity integer, is_lowest boolean) join parts on parts.id = part_id
  ), holders as materialized (
    select distinct user_id from purchases
    where part_id in (select part_id from wanted) and paid_at is null and expired_at is null and cancelled_at is null
  ), awaiting_payment as (
    select * from purchases
    where user_id in (select user_id from holders) and paid_at is null and expired_at is null and cancelled_at is null
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
    where counted_orders.cents > (draft -> 'share' ->> 'trustFactor')::integer * coalesce(paid.cents, 0) group by part_id
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
