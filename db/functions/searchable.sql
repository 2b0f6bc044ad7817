-- Each word twice: by its stem, so that `chains` finds a chain, and whole.
create or replace function searchable(words text) returns tsvector language sql immutable strict parallel safe
return to_tsvector('english', plain_words(words)) || to_tsvector('whole_words', plain_words(words));
