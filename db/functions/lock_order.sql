-- Locks an order and reads its lines as they are then. Each statement of a volatile function sees what was committed before it, also
-- by those who held the lock.
create or replace function lock_order(wanted text) returns setof purchases language plpgsql volatile as $$
begin
  perform from orders where id = wanted for update;
  return query select * from purchases where order_id = wanted order by position;
end $$;
