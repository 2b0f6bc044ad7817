-- What parts have and need, as text of the vocabulary in shop/fit. Parts share the distinct ones: fit is judged once for each of them.
create table interfaces (
  id bigserial primary key,
  kind text not null,
  text text not null unique
);
create index interfaces_kind on interfaces (kind);

create table part_interfaces (
  part_id text not null references parts,
  interface_id bigint not null references interfaces,
  kind text not null,
  role text not null check (role in ('has', 'needs')),
  -- Where its maker says so. Nothing is decided from an empty one.
  source text not null,
  source_date date,
  -- That of the part, which never changes.
  number bigint not null,
  primary key (part_id, interface_id)
);
create index part_interfaces_interface on part_interfaces (interface_id, number);

create function report_fit_change() returns trigger language plpgsql as $$
begin
  raise info using message = 'changed', errcode = 'WW001', detail = 'content';
  return null;
end $$;
create trigger report_change after insert or update or delete or truncate on part_interfaces
  for each statement execute function report_fit_change();

-- Bikes that customers have. An item is a part or an interface.
create table builds (
  id text primary key,
  user_id text not null references users,
  name text not null,
  items jsonb not null check (jsonb_typeof(items) = 'array' and jsonb_array_length(items) <= 100),
  -- Of which its owner is warned.
  chosen boolean not null,
  changed_at timestamptz not null
);
create unique index builds_name on builds (user_id, lower(name));
create unique index builds_chosen on builds (user_id) where chosen;
