-- The queue makes its tables by itself; but of two processes that start together one would fail at making this.

create schema if not exists jobs;
