create or replace function report_delivery_change() returns trigger language plpgsql as $$
begin
  raise info using message = 'changed', errcode = 'WW001', detail = 'content ' || coalesce(new.part_id, old.part_id);
  return null;
end $$;
