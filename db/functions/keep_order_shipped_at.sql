-- When the last item of an order shipped that has shipped whole: what lists of orders are sorted by.
create or replace function keep_order_shipped_at() returns trigger language plpgsql as $$
declare
  last timestamptz := (select max(shipped_at) from order_lines where order_id = new.order_id and cancelled_at is null);
begin
  -- Once, however many items the statement has changed.
  update orders set shipped_at = last where id = new.order_id and shipped_at is distinct from last;
  return null;
end $$;
