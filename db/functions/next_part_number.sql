-- Skips what admins have entered.
create or replace function next_part_number(prefix text) returns text language plpgsql as $$
declare
  candidate text;
begin
  loop
    candidate := prefix || nextval('part_numbers');
    exit when not exists (
      select from parts where upper(part_number) = upper(candidate) and deleted_at is null
    );
  end loop;
  return candidate;
end $$;
