-- What admins note about a customer.
create table customer_notes (
  id text primary key,
  number bigserial not null,
  user_id text not null references users,
  by text not null,
  by_name text not null,
  text text not null,
  created_at timestamptz not null,
  edited_at timestamptz
);
create index customer_notes_user on customer_notes (user_id, number);

create table customer_tags (
  user_id text not null references users,
  tag text not null
);
create unique index customer_tags_user on customer_tags (user_id, lower(tag));
create index customer_tags_tag on customer_tags (lower(tag), user_id);

-- Two accounts of one person, or, when not linked, two that only look so. The smaller id comes first.
create table customer_links (
  user_id text not null references users,
  other_id text not null references users,
  linked boolean not null,
  primary key (user_id, other_id),
  check (user_id < other_id)
);
create index customer_links_other on customer_links (other_id);

-- By which shop/customers/links.server.ts finds accounts that look alike.
create index delivery_addresses_digits on delivery_addresses (regexp_replace(phone_number, '\D', '', 'g'));
create index delivery_addresses_place on delivery_addresses (md5(btrim(lower(regexp_replace(address, '[\s,.;]+', ' ', 'g')))));
create index profiles_digits on profiles (regexp_replace(phone_number, '\D', '', 'g'));
create index profiles_place on profiles (md5(btrim(lower(regexp_replace(address, '[\s,.;]+', ' ', 'g')))));

-- To become an admin. An address has one open invitation at most: another one replaces its link.
create table admin_invitations (
  id text primary key,
  number bigserial not null,
  email text not null,
  token_hash text not null unique,
  invited_by text not null references users,
  -- The account with this address that opened the link before its address was confirmed.
  opened_by text references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz
);
create unique index admin_invitations_open on admin_invitations (email) where closed_at is null;
