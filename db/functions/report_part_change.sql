-- Reports committed changes of what visitors see to the process that made them (db/changes.ts). INFO reaches the client whatever its
-- client_min_messages, and is not logged. The triggers report_change and report_update of parts call it (migration 0037).
create or replace function report_part_change() returns trigger language plpgsql as $$
declare
  kind text := 'content';
begin
  if tg_op = 'UPDATE' then
    old.available_quantity := new.available_quantity;
    old.available := new.available;
    old.stock_level := new.stock_level;
    if old is not distinct from new then
      kind := 'stock';
    end if;
  end if;
  raise info using message = 'changed', errcode = 'WW001', detail = kind || ' ' || coalesce(new.id, old.id);
  return null;
end $$;
