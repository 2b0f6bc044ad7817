-- What people who are signed in want to order. It reserves nothing.
create table basket_items (
  user_id text not null references users,
  part_id text not null references parts,
  number bigserial not null,
  quantity integer not null check (quantity between 1 and 1000000),
  -- Price and quantity rules that the customer was shown.
  seen jsonb not null,
  changed_at timestamptz not null default now(),
  primary key (user_id, part_id)
);
create index basket_items_changed on basket_items (changed_at);
