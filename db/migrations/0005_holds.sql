-- An unpaid order whose time was over: its stock is given back, and it stays listed.
alter table orders add column expired_at timestamptz;
alter table orders add check (expired_at is null or paid_at is null);

-- Orders that hold stock without being paid, for the job that looks every minute whose time is over.
create index orders_held on orders (created_at) where paid_at is null and expired_at is null and cancelled_at is null;
