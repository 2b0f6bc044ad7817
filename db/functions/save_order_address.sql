-- When the user asked for it, or has none: then it becomes the default. Ignored if it is saved already, or as many as allowed are.
create or replace function save_order_address(buyer text, delivery jsonb) returns void language plpgsql as $$
declare
  address delivery_addresses := jsonb_populate_record(null::delivery_addresses, delivery);
  saved integer := (select count(*) from delivery_addresses where user_id = buyer);
begin
  if saved > 0 and not (delivery ->> 'asked')::boolean or saved >= (delivery ->> 'max')::integer then
    return;
  end if;
  insert into delivery_addresses (id, user_id, recipient, company, country, region, postcode, town, address, phone_number)
  values (address.id, buyer, address.recipient, address.company, address.country, address.region, address.postcode, address.town,
    address.address, address.phone_number)
  on conflict do nothing;
  if found then
    update users set default_address_id = address.id where id = buyer and default_address_id is null;
  end if;
end $$;
