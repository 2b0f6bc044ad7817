-- Answers of admins to a message; the customer's own answers arrive in the shop's mailbox.
create table message_replies (
  id text primary key,
  number bigserial not null,
  message_id text not null references messages (id) on delete cascade,
  by text not null,
  by_name text not null,
  text text not null,
  created_at timestamptz not null
);
create index message_replies_message on message_replies (message_id, number);

alter table messages add column assignee_id text;
create index messages_assignee on messages (assignee_id, number) where assignee_id is not null;

-- Emails of one conversation refer to it, so that mail programs show them together.
alter table outbox add column thread text;
