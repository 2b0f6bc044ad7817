-- Exports read the ledger by period.
create index ledger_at on ledger (at, number);
