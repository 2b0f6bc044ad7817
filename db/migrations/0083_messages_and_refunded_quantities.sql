-- A conversation may begin with the shop: who wrote first, and under which name. Null when the customer did.
alter table messages
  add column started_by text references users,
  add column started_by_name text,
  -- Whether the shop wrote what its customer has not seen. Answers of before count as seen.
  add column unread boolean not null default false;
create index messages_unread on messages (user_id) where unread;

-- How many parts of an item a refund is for, which papers and emails say; null when only an amount was given.
alter table refunds add column quantity integer check (quantity > 0);
alter table refund_shares add column quantity integer check (quantity > 0);
create or replace view refund_items as
  select id as refund_id, line_id, amount_cents, restocked, quantity from refunds where line_id is not null
  union all
  select refund_id, line_id, amount_cents, restocked, quantity from refund_shares;
