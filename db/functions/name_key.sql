-- The same for names that differ only by case, accents, spaces and invisible characters. A space between digits counts: 1 11 is not 11 1. Long ones fit into an index.
create or replace function name_key(name text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(key) > 1000 then md5(key) else key end
  from (select regexp_replace(btrim(regexp_replace(fold_text(name), '\s+', ' ', 'g')), '(?<![0-9]) | (?![0-9])', '', 'g') as key) as keys
$$;
