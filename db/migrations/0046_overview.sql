-- From which stock on a part is to be made again; null for none. Not shown to the public.
alter table parts add column reorder_point integer check (reorder_point between 0 and 1000000);

-- What the overview sums up by time. Only a payment, a refund or a dispute adds to them.
create index order_lines_paid_at on order_lines (paid_at) where paid_at is not null;
