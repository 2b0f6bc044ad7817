create or replace function report_content_change() returns trigger language plpgsql as $$
begin
  raise info using message = 'changed', errcode = 'WW001', detail = 'content';
  return null;
end $$;
