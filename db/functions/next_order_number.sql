-- The counter stays locked until the transaction ends.
create or replace function next_order_number() returns bigint language sql
begin atomic
  insert into order_counter (last_number) values (1001)
  on conflict (one) do update set last_number = order_counter.last_number + 1
  returning last_number;
end;
