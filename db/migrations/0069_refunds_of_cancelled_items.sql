-- A refund that is not of one item is kept with the first that is not cancelled (db/functions/update_refund_totals.sql).
create trigger refund_totals_of_cancelled after update of cancelled_at on order_lines for each row
  when (old.cancelled_at is distinct from new.cancelled_at
    and (new.refunded_cents, new.pending_refund_cents) is distinct from (0, 0))
  execute function order_refunds_changed();
