-- Messages are found by the beginnings of the words in them: shop/messages/messages.server.ts asks for this expression.
create index messages_words on messages
  using gin (to_tsvector('simple', plain_words(name || ' ' || email || ' ' || message)));
