-- Counts an email within each of these limits, like RateLimiterDrizzle; false, without counting it, when one is reached.
create or replace function count_email(limits jsonb) returns boolean language plpgsql as $$
declare
  is_reached boolean;
begin
  with counted as (
    insert into rate_limits (key, points, expire)
    select value ->> 'key', 1, now() + (value ->> 'seconds')::integer * interval '1 second'
    from jsonb_array_elements(limits) with ordinality order by ordinality
    on conflict (key) do update set
      points = case when rate_limits.expire <= now() then 1 else rate_limits.points + 1 end,
      expire = case when rate_limits.expire <= now() then excluded.expire else rate_limits.expire end
    returning key, points
  )
  select bool_or(points > max) into is_reached from counted join jsonb_to_recordset(limits) as allowed (key text, max integer) using (key);
  if is_reached then
    update rate_limits set points = points - 1 where key in (select value ->> 'key' from jsonb_array_elements(limits));
  end if;
  return not is_reached;
end $$;
