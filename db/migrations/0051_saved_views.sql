create table saved_views (
  id text primary key,
  number bigserial not null,
  user_id text not null references users (id) on delete cascade,
  list text not null,
  name text not null,
  query text not null
);
create unique index saved_views_name on saved_views (user_id, list, name);
