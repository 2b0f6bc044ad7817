-- For lists whose words have no rank.
create or replace function cut_into_vector(words text) returns tsvector language plpgsql immutable strict parallel safe as $$
begin
  return array_to_tsvector(array(select word from cut_words(words)));
end $$;
