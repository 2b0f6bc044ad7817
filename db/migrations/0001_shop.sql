create table users (
  id text primary key,
  number bigserial not null unique,
  issuer text not null,
  subject text not null,
  email text not null unique check (email = lower(trim(email))),
  name text not null,
  photo_url text,
  role text not null default 'customer' check (role in ('admin', 'customer')),
  token_version integer not null default 0,
  created_at timestamptz not null,
  unique (issuer, subject)
);

create table profiles (
  user_id text primary key references users,
  education text not null,
  address text not null,
  phone_number text not null,
  photo_url text,
  linkedin text not null
);

create table parts (
  id text primary key,
  number bigserial not null unique,
  name text not null,
  short_description text not null,
  description text not null,
  image text not null,
  brand text not null,
  category text not null,
  min_quantity integer not null check (min_quantity >= 1),
  available_quantity integer not null check (available_quantity >= 0),
  per_unit_price integer not null check (per_unit_price >= 1),
  created_at timestamptz not null,
  deleted_at timestamptz
);

-- Orders name a part by its name, so live parts have distinct ones.
create unique index parts_live_name on parts (lower(name)) where deleted_at is null;

create table orders (
  id text primary key,
  number bigserial not null unique,
  user_id text not null references users,
  part_id text not null references parts,
  name text not null,
  email text not null,
  parts text not null,
  unit_price integer not null check (unit_price >= 1),
  quantity integer not null check (quantity >= 1),
  price integer not null check (price = quantity * unit_price and price <= 999999),
  address text not null,
  phone_number text not null,
  payment_id text unique,
  transaction_id text unique,
  created_at timestamptz not null,
  paid_at timestamptz,
  shipped_at timestamptz,
  cancelled_at timestamptz,
  check ((paid_at is null) = (transaction_id is null)),
  check (shipped_at is null or paid_at is not null),
  check (cancelled_at is null or paid_at is null)
);

create index orders_user on orders (user_id, number desc);

create table reviews (
  id text primary key,
  number bigserial not null unique,
  user_id text references users,
  name text not null,
  image text,
  address text not null,
  reviews text not null,
  rating integer not null check (rating between 1 and 5),
  created_at timestamptz not null
);

create table messages (
  id text primary key,
  number bigserial not null unique,
  name text not null,
  email text not null,
  phone text not null,
  message text not null,
  created_at timestamptz not null
);

create table pictures (
  url text primary key,
  created_at timestamptz not null
);

create table answers (
  key text primary key,
  request text not null,
  answer jsonb,
  created_at timestamptz not null
);

create index answers_created on answers (created_at);

create table installation (
  one boolean primary key check (one),
  fingerprint text not null
);

create table limits (
  key text primary key,
  points integer not null,
  expire timestamptz
);
