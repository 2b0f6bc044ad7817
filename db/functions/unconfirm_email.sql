create or replace function unconfirm_email() returns trigger language plpgsql as $$
begin
  new.email_confirmed_at := null;
  return new;
end $$;
