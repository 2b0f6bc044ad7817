-- Null when no email about the shipment is waiting.
alter table orders add column shipping_email_due_at timestamptz;
create index orders_shipping_email on orders (shipping_email_due_at) where shipping_email_due_at is not null;
create index orders_to_ship on orders (number) where paid_at is not null and shipped_at is null;

alter table messages add column answered_at timestamptz;
create index messages_new on messages (number) where answered_at is null;

-- Lower case without accents, so that `yilmaz` finds `Yılmaz`.
create function fold(words text) returns text language sql immutable strict parallel safe
return replace(translate(
  lower(regexp_replace(normalize(words, nfd), U&'[\0300-\036F]', '', 'g')), 'ıøłđħ', 'ioldh'
), 'ß', 'ss');

-- shop/messages/messages.server.ts uses this expression.
drop index messages_words;
create index messages_words on messages
  using gin (to_tsvector('simple', plain_words(fold(name || ' ' || email || ' ' || message))));
