-- What customers call parts, and what is searched for instead: terms that must all match, each with alternatives.
create table synonyms (
  id text primary key,
  number bigserial not null,
  -- Words as the search reads them, without a plural s.
  phrase text not null unique,
  terms jsonb not null,
  created_at timestamptz not null
);
create trigger report_synonym after insert or update or delete on synonyms
  for each row execute function report_review_change();

insert into synonyms (id, phrase, terms, created_at)
select gen_random_uuid()::text, phrase, terms::jsonb, now() from (values
  ('disc brake', '[["brake"],["disc","rotor","caliper","lever"]]'),
  ('disk brake', '[["brake"],["disk","disc","rotor","caliper","lever"]]'),
  ('brake disc', '[["brake"],["disc","rotor"]]'),
  ('handlebar', '[["handlebar","bar"]]'),
  ('mech', '[["mech","derailleur"]]'),
  ('bb', '[["bb","bottom"],["bb","bracket"]]'),
  ('bottom bracket', '[["bottom","bb"],["bracket","bb"]]')
) as seed (phrase, terms);

-- Texts for which the catalogue found nothing, without who searched for them.
create table empty_searches (
  id text primary key,
  number bigserial not null,
  text text not null unique,
  count integer not null default 1,
  last_at timestamptz not null
);
create index empty_searches_last on empty_searches (last_at);
