-- People read order numbers, so they are short and have no gaps. A sequence leaves gaps when a transaction rolls back.
create table order_counter (
  one boolean primary key default true check (one),
  last_number bigint not null
);

alter table orders drop constraint orders_number_key;
update orders set number = numbered.number
  from (select id, 1000 + row_number() over (order by created_at, number) as number from orders) numbered
  where numbered.id = orders.id;
alter table orders add constraint orders_number_key unique (number);
insert into order_counter (last_number) select coalesce(max(number), 1000) from orders;

-- The counter stays locked until the transaction ends.
create function next_order_number() returns bigint language sql
begin atomic
  insert into order_counter (last_number) values (1001)
  on conflict (one) do update set last_number = order_counter.last_number + 1
  returning last_number;
end;
alter table orders alter column number set default next_order_number();
drop sequence orders_number_seq;
