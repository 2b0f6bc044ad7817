-- Reports committed changes of what visitors see to the process that made them (db/changes.ts). INFO reaches the client whatever its
-- client_min_messages, and is not logged.
create function report_part_change() returns trigger language plpgsql as $$
declare
  kind text := 'content';
begin
  if tg_op = 'UPDATE' then
    old.available_quantity := new.available_quantity;
    if old is not distinct from new then
      kind := 'stock';
    end if;
  end if;
  raise info using message = 'changed', errcode = 'WW001', detail = kind || ' ' || coalesce(new.id, old.id);
  return null;
end $$;

create trigger report_change after insert or delete on parts for each row execute function report_part_change();
create trigger report_update after update on parts for each row
  when (old.* is distinct from new.*) execute function report_part_change();

create function report_review_change() returns trigger language plpgsql as $$
begin
  raise info using message = 'changed', errcode = 'WW001', detail = 'content';
  return null;
end $$;

create trigger report_change after insert or update or delete on reviews
  for each statement execute function report_review_change();
