-- Lower case without accents, so that `yilmaz` finds `Yılmaz`.
create or replace function fold(words text) returns text language sql immutable strict parallel safe
return replace(translate(
  lower(regexp_replace(normalize(words, nfd), U&'[\0300-\036F]', '', 'g')), 'ıøłđħ', 'ioldh'
), 'ß', 'ss');
