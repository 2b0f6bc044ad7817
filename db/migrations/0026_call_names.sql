-- Calls were renamed: a key that is used again returns its stored response.
update idempotency_keys set key = replace(replace(key, 'placeOrder:', 'placePurchase:'), 'refundOrder:', 'refundPurchase:')
  where key like 'placeOrder:%' or key like 'refundOrder:%';
