-- What the tax service keeps of the papers of orders whose tax it has worked out (shop/payments/commit-taxes.server.ts).
create table tax_transactions (
  invoice_id text primary key references invoices,
  -- Its id at the tax service.
  transaction text not null,
  created_at timestamptz not null
);

-- Calculations and transactions of the test bank’s tax service.
create table bank.taxes (
  id text primary key,
  -- Null for a calculation.
  reference text unique,
  -- What is reversed.
  original text,
  items jsonb not null,
  delivery jsonb,
  currency text not null,
  created bigint not null
);
create index taxes_original on bank.taxes (original) where original is not null;
