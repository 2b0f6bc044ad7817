-- A task about a rejected refund that was resolved did not end the refund, which is still tried: an admin decides again.
update payment_tasks set resolved_at = null, resolved_by = null
where kind = 'refund rejected' and resolved_by is not null
  and reference in (select id from refunds where completed_at is null);
