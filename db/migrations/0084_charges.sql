-- What an order costs besides its prices, as it was placed (shop/charges/order-charges.ts): null when that is nothing, and in what is older.
alter table orders
  add column charges jsonb,
  -- The rates and facts from which what is left of an unpaid order is charged again.
  add column charge_basis jsonb,
  -- With its tax.
  add column delivery_cents integer not null default 0 check (delivery_cents >= 0),
  -- Triggers write these.
  add column refunded_delivery_cents integer not null default 0,
  add column pending_delivery_cents integer not null default 0;

alter table order_lines
  -- Charged besides the price: tax on top of it, or less than nothing where an inclusive price loses its tax.
  add column added_cents integer not null default 0,
  -- In what is charged.
  add column tax_cents integer not null default 0 check (tax_cents >= 0),
  -- Such as VAT 19 %, or why there is none.
  add column tax_label text;

-- What of a refund is for delivery: the rest is of its items.
alter table refunds add column delivery_cents integer not null default 0 check (delivery_cents between 0 and amount_cents);
alter table ledger add column delivery_cents integer not null default 0;
create or replace trigger refund_totals after insert on ledger for each row
  when (new.kind in ('dispute', 'dispute reversal') or new.delivery_cents <> 0) execute function order_refunds_changed();

-- Papers with delivery or tax, for the sums of the overview.
create index invoices_with_charges on invoices (created_at) where content ? 'charges';

-- The VAT ID and the exemption of a customer (shop/charges/tax-status.ts).
alter table users add column tax_status jsonb;

-- The condition of the index of the items to ship, with what is charged.
drop index order_lines_pending;
create index order_lines_pending on order_lines (order_number, position) include (payment_provider)
  where paid_at is not null and shipped_at is null and refunded_cents + pending_refund_cents < price * 100 + added_cents
    and shipped_quantity + returned_quantity < quantity and cancelled_at is null and (dispute is null or dispute = 'won');

-- Behind whatever columns the view has.
do $$
begin
  execute 'create or replace view purchases as '
    || regexp_replace(pg_get_viewdef('purchases'::regclass), '\s+FROM \(?order_lines',
      ', l.added_cents, l.tax_cents, l.tax_label, o.charges, o.delivery_cents, o.refunded_delivery_cents, o.pending_delivery_cents\&');
end $$;
