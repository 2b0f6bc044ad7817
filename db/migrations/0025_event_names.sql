-- The words that the screens use.
alter table order_events drop constraint order_events_kind_check;
alter table order_events disable trigger order_events_stay;
update order_events set kind = 'reserved again' where kind = 'taken again';
alter table order_events enable trigger order_events_stay;
alter table order_events add constraint order_events_kind_check
  check (kind in ('shipped', 'not shipped', 'expired', 'cancelled', 'reserved again'));

update payment_tasks set kind = 'refund rejected' where kind = 'refund refused';
update payment_tasks set kind = 'unsupported currency' where kind = 'unknown currency';
