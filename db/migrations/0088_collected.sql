-- At the factory, instead of being delivered.
alter table orders add column collected boolean not null default false;

-- Behind whatever columns the view has.
do $$
begin
  execute 'create or replace view purchases as '
    || regexp_replace(pg_get_viewdef('purchases'::regclass), '\s+FROM \(?order_lines', ', o.collected\&');
end $$;
