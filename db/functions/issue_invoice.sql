-- Issues the invoice of an order (shop/documents/issue.server.ts). An order keeps the names of its parts, but not their numbers. Call it
-- last: the counter stays locked until the transaction ends.
create or replace function issue_invoice(wanted text, payment text, invoice jsonb) returns invoices language plpgsql as $$
declare
  issued invoices;
begin
  insert into invoices (id, kind, prefix, number, order_id, reference, content, created_at)
  values (
    invoice ->> 'id', 'invoice', invoice ->> 'prefix', next_invoice_number('invoice', (invoice ->> 'firstNumber')::bigint), wanted, payment,
    invoice -> 'content' || jsonb_build_object('lines', (
      select jsonb_agg(line - 'partId' || jsonb_build_object('partNumber', part_number) order by position)
      from jsonb_array_elements(invoice -> 'lines') with ordinality as billed (line, position)
      join parts on parts.id = line ->> 'partId'
    )),
    (invoice ->> 'createdAt')::timestamptz
  )
  returning * into issued;
  return issued;
end $$;
