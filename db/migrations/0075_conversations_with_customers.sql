-- A message of somebody who was signed in, perhaps about an order or some of its items; the customer's answers are kept with the shop's.
alter table messages
  add column user_id text references users,
  add column order_id text references orders,
  -- Ids of order lines; empty for the whole order.
  add column line_ids text[] not null default '{}',
  add column latest_at timestamptz not null default now();
alter table message_replies add column from_customer boolean not null default false;

update messages set latest_at = greatest(created_at, (select max(created_at) from message_replies where message_id = messages.id));

create index messages_latest on messages (latest_at, number);
-- shop/messages/my-messages.server.ts finds what a customer may read by both.
create index messages_user on messages (user_id, number) where user_id is not null;
create index messages_email on messages (lower(email), number);
create index messages_order on messages (order_id) where order_id is not null;
