-- Reviews of a part; those without a part are of the shop.
alter table reviews
  add column part_id text references parts (id),
  -- Whether its author had paid for an order, of the part if it is of one, when it was written.
  add column verified_buyer boolean not null default false,
  add column hidden_at timestamptz,
  add column hidden_reason text,
  add column answer text,
  add column answered_at timestamptz,
  add check ((hidden_at is null) = (hidden_reason is null)),
  add check ((answer is null) = (answered_at is null));
create unique index reviews_by_author on reviews (user_id, part_id) where part_id is not null;
create index reviews_of_part on reviews (part_id, number) where part_id is not null;
create index reviews_text on reviews using gin (fold(name || ' ' || address || ' ' || reviews) gin_trgm_ops);

update reviews r set verified_buyer = true where exists (
  select from orders o join order_lines l on l.order_id = o.id
  where o.user_id = r.user_id and l.paid_at <= r.created_at);

-- Orders whose customer was asked for a review.
create table review_requests (
  order_id text primary key references orders (id) on delete cascade,
  created_at timestamptz not null
);

-- Who wants no emails that ask for reviews.
create table review_email_opt_outs (
  user_id text primary key references users (id) on delete cascade,
  created_at timestamptz not null
);
alter table outbox add column unsubscribe_url text;
