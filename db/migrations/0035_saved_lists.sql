-- Parts and quantities that a customer orders again and again. The items are read and changed only with their list.
create table saved_lists (
  id text primary key,
  user_id text not null references users,
  name text not null,
  items jsonb not null check (jsonb_typeof(items) = 'array' and jsonb_array_length(items) between 1 and 1000),
  changed_at timestamptz not null default now()
);
create unique index saved_lists_name on saved_lists (user_id, lower(name));
