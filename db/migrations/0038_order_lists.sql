-- Lists of orders read one table, by index: each line has the number and the searchable text of its order.
alter table order_lines add column order_number bigint, add column order_search_text text;
update order_lines l set order_number = o.number, order_search_text = o.search_text || ' ' || l.search_text
from orders o where o.id = l.order_id;

create or replace view purchases as
select l.id, l.order_id, l.position, l.order_number as number, o.user_id, l.part_id, o.name, o.email, l.parts, l.unit_price, l.quantity,
  l.price, o.address, o.phone_number, l.transaction_id, l.payment_provider, o.created_at, l.paid_at, l.shipped_at, l.expired_at,
  l.cancelled_at, l.shipped_quantity, l.returned_quantity, o.reminded_at, o.client_network, o.short_hold_until, l.refunded_cents,
  l.disputed_cents, l.pending_refund_cents, l.dispute, o.price as order_price, o.line_count, l.order_search_text as search_text,
  o.recipient, o.company
from order_lines l join orders o on o.id = l.order_id;

alter table order_lines drop column search_text;
alter table order_lines rename column order_search_text to search_text;
alter table order_lines alter column order_number set not null, alter column search_text set not null;

create function copy_order_to_line() returns trigger language plpgsql as $$
begin
  select o.number, o.search_text || ' ' || fold(new.parts) into new.order_number, new.search_text
  from orders o where o.id = new.order_id;
  return new;
end $$;
create trigger copy_order before insert or update of parts on order_lines for each row execute function copy_order_to_line();

create function copy_order_to_lines() returns trigger language plpgsql as $$
begin
  update order_lines set order_number = new.number, search_text = new.search_text || ' ' || fold(parts) where order_id = new.id;
  return null;
end $$;
create trigger copy_to_lines after update on orders for each row
  when ((old.number, old.search_text) is distinct from (new.number, new.search_text)) execute function copy_order_to_lines();

-- One index for each status, with the conditions of shop/orders/lists.server.ts.
create index order_lines_listed on order_lines (order_number, position) where cancelled_at is null;
drop index order_lines_to_ship;
create index order_lines_pending on order_lines (order_number, position)
  where paid_at is not null and shipped_at is null and refunded_cents + pending_refund_cents < price * 100
    and shipped_quantity + returned_quantity < quantity and cancelled_at is null;
create index order_lines_awaiting_payment on order_lines (order_number, position)
  where paid_at is null and expired_at is null and cancelled_at is null;
create index order_lines_shipped on order_lines (order_number, position) where shipped_at is not null and cancelled_at is null;
create index order_lines_refunded on order_lines (order_number, position)
  where paid_at is not null and refunded_cents + pending_refund_cents > 0 and cancelled_at is null;
create index order_lines_expired on order_lines (order_number, position) where expired_at is not null and cancelled_at is null;

create index order_lines_search on order_lines using gin (search_text gin_trgm_ops);
create index order_lines_id on order_lines (id text_pattern_ops);
create index order_lines_order_id on order_lines (order_id text_pattern_ops);
create index order_lines_transaction_id on order_lines (transaction_id text_pattern_ops) where transaction_id is not null;
create index orders_phone on orders using gin (regexp_replace(phone_number, '\D', '', 'g') gin_trgm_ops);
