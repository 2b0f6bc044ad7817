-- Without gaps: the counter stays locked until the transaction ends.
create or replace function next_invoice_number(counted text, first bigint) returns bigint language sql
begin atomic
  insert into invoice_counters (kind, last_number) values (counted, first)
  on conflict (kind) do update set last_number = invoice_counters.last_number + 1
  returning last_number;
end;
