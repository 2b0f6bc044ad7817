alter table notices rename to webhook_events;
alter table answers rename to idempotency_keys;
alter table idempotency_keys rename column request to fingerprint;
alter table idempotency_keys rename column answer to response;
alter index answers_created rename to idempotency_keys_created;
alter table limits rename to rate_limits;

alter table payments rename column shown_at to presented_at;
alter table payments rename column asked_at to checked_at;
alter table payments rename column ended_at to settled_at;
alter index payments_asked rename to payments_checked;

alter table refunds rename column asked_at to attempted_at;
alter table refunds rename column ended_at to completed_at;
alter table refunds rename column returned to restocked;
alter table refunds rename column by to requested_by;
alter index refunds_asked rename to refunds_attempted;

alter table pictures rename column swept_at to removed_at;
