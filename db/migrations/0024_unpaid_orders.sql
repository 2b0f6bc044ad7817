create index orders_unpaid on orders (part_id) where paid_at is null and expired_at is null and cancelled_at is null;
