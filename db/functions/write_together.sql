-- Returns the number before that of the first draft; the others follow it. Texts are JSON, in which the order's number replaces a
-- placeholder. The version before does not say whether an order is collected.
create or replace function write_together(drafts jsonb[]) returns bigint language plpgsql as $$
declare
  before bigint;
  prefix text;
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
  -- Whoever changes the prefix has locked the counter: what the sender knows may be older.
  select value ->> 'order' from settings where section = 'numbers' into prefix;
  with written as materialized (
    select draft -> 'order' as header, draft -> 'lines' as lines, draft ->> 'userId' as user_id, before + index as number,
      draft ->> 'key' as key, draft ->> 'fingerprint' as fingerprint, (draft -> 'order' ->> 'created_at')::timestamptz as created_at,
      emailed[index] as is_emailed,
      replace(draft ->> 'texts', draft ->> 'numberPlaceholder', coalesce(prefix, draft ->> 'numberPrefix') || before + index)::jsonb as texts
    from unnest(drafts) with ordinality as drafts (draft, index)
  ), added as materialized (
    select written.number, line.*
    from written, jsonb_to_recordset(lines)
      as line (id text, position integer, part_id text, parts text, unit_price integer, quantity integer, price integer,
        added_cents integer, tax_cents integer, tax_label text)
  ), taken as (
    update parts set available_quantity = available_quantity - total
    from (select part_id, sum(quantity) as total from added group by part_id) as sold
    where sold.part_id = parts.id and parts.id = any (array(select part_id from added))
  ), placed as (
    insert into orders (number, id, user_id, name, email, recipient, company, country, region, postcode, town, address, phone_number,
      price, line_count, created_at, client_network, short_hold_until, charges, delivery_cents, charge_basis, collected)
    select written.number, id, user_id, name, email, recipient, company, country, region, postcode, town, address, phone_number,
      price, line_count, created_at, client_network, short_hold_until, charges, coalesce(delivery_cents, 0), charge_basis, coalesce(collected, false)
    from written, jsonb_to_record(header) as header (id text, name text, email text, recipient text, company text, country text,
      region text, postcode text, town text, address text, phone_number text, price integer, line_count integer, client_network text,
      short_hold_until timestamptz, charges jsonb, delivery_cents integer, charge_basis jsonb, collected boolean)
    returning orders.number, orders.id, orders.search_text, concat_ws(' ', orders.town, orders.postcode) as destination
  ), lines as (
    insert into order_lines (id, order_id, position, part_id, parts, unit_price, quantity, price, added_cents, tax_cents, tax_label, order_number,
      search_text)
    select added.id, placed.id, position, part_id, parts, unit_price, quantity, price, coalesce(added_cents, 0), coalesce(tax_cents, 0), tax_label, number,
      concat_ws(' ', placed.search_text, fold(concat_ws(' ', nullif(placed.destination, ''), parts)))
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
