-- Raised by the function raise_version.
alter table parts add column version integer not null default 1;
alter table users add column version integer not null default 1;
