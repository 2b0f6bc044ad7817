-- Before its release, 0029_order_lines.sql left the price of an order to its lines. Does nothing to other databases.
do $$
begin
  if exists (
    select from information_schema.columns
    where table_schema = current_schema and table_name = 'orders' and column_name = 'price'
  ) then
    return;
  end if;
  alter table orders
    add column price integer not null default 0 check (price between 0 and 999999),
    add column line_count integer not null default 1 check (line_count >= 0);
  alter table orders alter column price drop default;
  update orders set (price, line_count) = (
    select coalesce(sum(price), 0), count(*) from order_lines where order_id = orders.id and cancelled_at is null
  );
  create or replace trigger refund_lines_stay before update or delete on refund_lines
    for each row execute function refuse();
end $$;
