-- The outcomes with those of the drafts that cannot be placed together with the ones before them: 'changed' is composed again, 'next' as it is.
create or replace function refuse_together(drafts jsonb[], outcomes jsonb[]) returns jsonb[] language plpgsql as $$
declare
  buyers text[] := '{}';
  taken jsonb := '{}';
begin
  -- Nearly always, the stock suffices for all, and no two concern each other.
  if not exists (
    select from unnest(drafts, outcomes) as checked (draft, outcome), jsonb_to_recordset(draft -> 'lines') as line (part_id text, quantity integer)
    where outcome is null
    group by part_id
    having count(*) > 1 and (sum(quantity) > (select available_quantity from parts where id = part_id) or bool_or(draft ? 'share'))
  ) and not exists (
    select from unnest(drafts, outcomes) as checked (draft, outcome) where outcome is null
    group by draft ->> 'userId' having count(*) > 1 and bool_or(draft ? 'unpaid' or (draft ->> 'fromBasket')::boolean)
  ) then
    return outcomes;
  end if;
  for i in 1 .. cardinality(drafts) loop
    continue when outcomes[i] is not null;
    -- Concurrent orders of a customer could exceed a limit together, or be of the same basket.
    if (drafts[i] ? 'unpaid' or (drafts[i] ->> 'fromBasket')::boolean) and drafts[i] ->> 'userId' = any (buyers) or exists (
      select from jsonb_to_recordset(drafts[i] -> 'lines') as line (part_id text, quantity integer)
      where (select available_quantity from parts where id = part_id) - coalesce((taken ->> part_id)::integer, 0) < quantity
    ) then
      outcomes[i] := '{"outcome": "changed"}';
    -- What those before hold of a part was not counted.
    elsif drafts[i] ? 'share' and exists (
      select from jsonb_array_elements(drafts[i] -> 'lines') as line where taken ? (line ->> 'part_id')
    ) then
      outcomes[i] := '{"outcome": "next"}';
    else
      buyers := buyers || (drafts[i] ->> 'userId');
      taken := taken || (
        select jsonb_object_agg(part_id, coalesce((taken ->> part_id)::integer, 0) + quantity)
        from jsonb_to_recordset(drafts[i] -> 'lines') as line (part_id text, quantity integer)
      );
    end if;
  end loop;
  return outcomes;
end $$;
