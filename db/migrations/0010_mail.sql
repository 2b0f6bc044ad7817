-- What is on its way to people: sent at once, tried again while that fails, and gone when it has been sent. Where nothing is
-- ever sent, it stays. `next_try_at` is null when nobody shall try (again); `failure` says why the last try failed.
alter table outbox
  add column reply_to text,
  add column html text not null default '',
  add column tries integer not null default 0,
  add column next_try_at timestamptz,
  add column failure text;

alter table outbox alter column html drop default;

create index outbox_due on outbox (next_try_at);
