-- The address of the photo at the sign-in provider, of which photo_url is the shop's copy; without photo_url, the copy is not made yet.
alter table users add column photo_source text;
create index users_photo_to_copy on users (id) where photo_source is not null and photo_url is null;
