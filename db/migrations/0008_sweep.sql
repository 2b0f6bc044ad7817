-- When nobody used an uploaded picture any more: its file goes an hour later, unless a part shows it by then.
alter table pictures add column swept_at timestamptz;
