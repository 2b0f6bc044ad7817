-- A retry of a request from before order numbers is answered with its stored order.
update idempotency_keys set response = response || jsonb_build_object('number', orders.number)
  from orders where orders.id = response->>'_id';
