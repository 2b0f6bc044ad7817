-- What delivery, tax and customs go by. Null is unknown. A weight is in grams, an origin ISO 3166-1 alpha-2.
alter table parts
  add column weight integer check (weight between 1 and 1000000),
  add column tax_class text not null default 'standard',
  add column origin text check (origin ~ '^[A-Z]{2}$'),
  add column hs_code text check (hs_code ~ '^[0-9]{6,10}$');
