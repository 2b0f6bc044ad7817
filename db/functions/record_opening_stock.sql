create or replace function record_opening_stock() returns trigger language plpgsql as $$
begin
  insert into opening_stock (part_id, at, quantity) values (new.id, new.created_at, new.available_quantity);
  return null;
end $$;
