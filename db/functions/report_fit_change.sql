-- Parts are listed on the pages of others that they fit.
create or replace function report_fit_change() returns trigger language plpgsql as $$
begin
  raise info using message = 'changed', errcode = 'WW001', detail = 'content';
  return null;
end $$;
