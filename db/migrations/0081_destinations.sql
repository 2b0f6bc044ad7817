-- Where an order goes besides the street. What is older has none of it, and goes to the shop's country.
alter table delivery_addresses add column country text, add column region text, add column postcode text, add column town text;
alter table orders add column country text, add column region text, add column postcode text, add column town text;

-- The same street can be in two towns.
do $$
begin
  execute 'alter table delivery_addresses drop constraint '
    || (select quote_ident(conname) from pg_constraint where conrelid = 'delivery_addresses'::regclass and contype = 'u' and cardinality(conkey) = 5);
end $$;
create unique index delivery_addresses_once on delivery_addresses (user_id, recipient, company, address, phone_number,
  coalesce(country, ''), coalesce(region, ''), coalesce(postcode, ''), coalesce(town, ''));

-- The search of items also finds town and postcode.
create trigger copy_destination_to_lines after update on orders for each row
  when ((old.town, old.postcode) is distinct from (new.town, new.postcode)) execute function copy_order_to_lines();

-- Behind whatever columns the view has.
do $$
begin
  execute 'create or replace view purchases as '
    || regexp_replace(pg_get_viewdef('purchases'::regclass), '\s+FROM \(?order_lines', ', o.country, o.region, o.postcode, o.town\&');
end $$;
