-- Whom the card was charged for, as the card form says it.
alter table bank.payment_intents add column billing_details jsonb;
