-- The HTML of an email is made when it is sent, from its text and from the links in it that are buttons. Emails of older versions have
-- theirs stored.
alter table outbox
  alter column html drop not null,
  add column actions jsonb not null default '[]';

-- Returns the number before that of the first draft; the others follow it. Texts are JSON, in which the order's number replaces a
-- placeholder; older versions send them as an object.
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
  from unnest(drafts) with ordinality as drafts (draft, index), jsonb_to_record(draft -> 'order') as header (id text, name text, email text,
    recipient text, company text, address text, phone_number text, price integer, line_count integer, created_at timestamptz,
    client_network text, short_hold_until timestamptz);
  insert into order_lines (id, order_id, position, part_id, parts, unit_price, quantity, price)
  select id, draft -> 'order' ->> 'id', position, part_id, parts, unit_price, quantity, price
  from unnest(drafts) as drafts (draft), jsonb_to_recordset(draft -> 'lines')
    as line (id text, position integer, part_id text, parts text, unit_price integer, quantity integer, price integer);
  with written as materialized (
    select draft, (draft -> 'order' ->> 'created_at')::timestamptz as created_at,
      replace(draft ->> 'texts', draft ->> 'numberPlaceholder', (draft ->> 'numberPrefix') || before + index)::jsonb as texts
    from unnest(drafts) with ordinality as drafts (draft, index)
  ), keys as (
    insert into idempotency_keys (key, fingerprint, response, created_at)
    select draft ->> 'key', draft ->> 'fingerprint', texts -> 'response', created_at from written where draft ? 'key'
  )
  insert into outbox (id, recipient, reply_to, subject, body, actions, html, attachments, next_try_at, created_at)
  select id, recipient, reply_to, subject, body, coalesce(actions, '[]'), html, coalesce(attachments, '[]'), next_try_at, created_at
  from written, jsonb_to_recordset(texts -> 'emails') as email (id text, recipient text, reply_to text, subject text, body text,
    actions jsonb, html text, attachments jsonb, next_try_at timestamptz);
  return before;
end $$;
