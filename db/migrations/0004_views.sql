-- Further pictures of a part beside its `image`, in the order in which its page shows them.
alter table parts add column views text[] not null default '{}';
