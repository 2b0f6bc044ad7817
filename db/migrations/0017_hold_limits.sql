alter table orders add column client_network text;
alter table orders add column short_hold_until timestamptz;
