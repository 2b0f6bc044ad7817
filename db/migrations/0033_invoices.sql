-- What was billed and credited, as it was when it was issued.
create table invoices (
  id text primary key,
  kind text not null check (kind in ('invoice', 'credit note')),
  prefix text not null,
  number bigint not null,
  order_id text not null references orders,
  -- Of an invoice, its payment. Of a credit note, its refund in the ledger.
  reference text not null,
  content jsonb not null,
  created_at timestamptz not null,
  unique (kind, number),
  unique (kind, reference)
);
create index invoices_order on invoices (order_id);
create trigger invoices_stay before update or delete on invoices for each row execute function refuse();

create table invoice_counters (
  kind text primary key,
  last_number bigint not null
);

-- Without gaps: the counter stays locked until the transaction ends.
create function next_invoice_number(counted text, first bigint) returns bigint language sql
begin atomic
  insert into invoice_counters (kind, last_number) values (counted, first)
  on conflict (kind) do update set last_number = invoice_counters.last_number + 1
  returning last_number;
end;

-- Documents to attach to an email.
alter table outbox add column attachments jsonb not null default '[]';
