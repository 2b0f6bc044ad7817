create or replace function copy_order_to_line() returns trigger language plpgsql as $$
begin
  select o.number, concat_ws(' ', o.search_text, fold(concat_ws(' ', o.town, o.postcode, new.parts))) into new.order_number, new.search_text
  from orders o where o.id = new.order_id;
  return new;
end $$;

create or replace function copy_order_to_lines() returns trigger language plpgsql as $$
begin
  update order_lines
  set order_number = new.number, search_text = concat_ws(' ', new.search_text, fold(concat_ws(' ', new.town, new.postcode, parts)))
  where order_id = new.id;
  return null;
end $$;
