-- Lists of whole orders are sorted by an index of orders, as those of items are by one of items (0042).
alter table orders add column shipped_at timestamptz;
update orders set shipped_at = last
from (select order_id, max(shipped_at) as last from order_lines where shipped_at is not null and cancelled_at is null group by order_id) shipped
where id = order_id;

create function keep_order_shipped_at() returns trigger language plpgsql as $$
declare
  last timestamptz := (select max(shipped_at) from order_lines where order_id = new.order_id and cancelled_at is null);
begin
  -- Once, however many items the statement has changed.
  update orders set shipped_at = last where id = new.order_id and shipped_at is distinct from last;
  return null;
end $$;
create trigger shipped_at after update of shipped_at on order_lines for each row
  when (old.shipped_at is distinct from new.shipped_at) execute function keep_order_shipped_at();
create trigger first_shipped_at after insert on order_lines for each row
  when (new.shipped_at is not null) execute function keep_order_shipped_at();

create index orders_by_price on orders (price, number) where line_count > 0;
create index orders_by_shipped on orders (coalesce(shipped_at, '-infinity'), number) where line_count > 0;
create index order_lines_disputed on order_lines (order_number, position) where dispute in ('open', 'lost') and cancelled_at is null;

-- What a search finds from its beginning, as shop/orders/read/order-search.server.ts writes it.
create index shipments_tracking_number on shipments (translate(upper(tracking_number), ' -', '') text_pattern_ops)
  where tracking_number is not null;
create index invoices_number on invoices (lower(prefix || number) text_pattern_ops);
