alter table orders add column client_network text;
alter table orders add column short_hold_until timestamptz;

create index orders_held_of_part on orders (part_id)
  where paid_at is null and expired_at is null and cancelled_at is null;
