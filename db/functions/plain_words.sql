-- Punctuation divides words, and so does a measure: `12x148mm` reads `12 x 148 mm`. shop/search/tokenize.ts does the same.
create or replace function plain_words(words text) returns text language sql immutable strict parallel safe
return regexp_replace(
  translate(words, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)), '(\d)(mm?|x)(?![a-z])', '\1 \2 ', 'gi'
);
