-- One index for each column by which the lists of all customers are sorted, with the expressions of shop/orders/lists.server.ts.
create index order_lines_by_parts on order_lines (lower(parts), order_number) where cancelled_at is null;
create index order_lines_by_quantity on order_lines (quantity, order_number) where cancelled_at is null;
create index order_lines_by_price on order_lines (price, order_number) where cancelled_at is null;
create index order_lines_by_shipped on order_lines (coalesce(shipped_at, '-infinity'), order_number) where cancelled_at is null;
create index orders_by_name on orders (lower(name), number);
