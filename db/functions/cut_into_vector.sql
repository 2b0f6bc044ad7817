-- For lists whose words have no rank. An index uses it: vacuuming and restoring leave the search path empty.
create or replace function cut_into_vector(words text) returns tsvector language plpgsql immutable strict parallel safe
set search_path from current as $$
begin
  return array_to_tsvector(array(select word from cut_words(words)));
end $$;
