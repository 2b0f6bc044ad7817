-- Raised by all that orders are composed from but the stock: an order is placed only if neither version has changed since it was read.
create or replace function raise_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create or replace trigger raise_version before update of name, per_unit_price, min_quantity, multiple, price_breaks, weight, tax_class, deleted_at on parts
  for each row
  when ((old.name, old.per_unit_price, old.min_quantity, old.multiple, old.price_breaks, old.weight, old.tax_class, old.deleted_at)
    is distinct from (new.name, new.per_unit_price, new.min_quantity, new.multiple, new.price_breaks, new.weight, new.tax_class, new.deleted_at))
  execute function raise_version();
create or replace trigger raise_version before update of name, email, email_confirmed_at, role, token_version, tax_status on users
  for each row
  when ((old.name, old.email, old.email_confirmed_at, old.role, old.token_version, old.tax_status)
    is distinct from (new.name, new.email, new.email_confirmed_at, new.role, new.token_version, new.tax_status))
  execute function raise_version();
