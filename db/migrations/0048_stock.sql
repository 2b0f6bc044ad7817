-- What a part had before anything that stock_movements knows of.
create table opening_stock (
  part_id text primary key,
  at timestamptz not null,
  quantity integer not null
);

-- Every change of a part's stock, from what has caused it. An order line that was cancelled after it had expired gave nothing back.
create view stock_movements as
  select part_id, at, 'opening'::text as kind, quantity, null::text as order_id, null::text as by_name from opening_stock
  union all
  select l.part_id, o.created_at, 'ordered', -l.quantity, l.order_id, o.name
    from order_lines l join orders o on o.id = l.order_id
  union all
  select l.part_id, e.at, case e.kind when 'reserved again' then 'ordered' else 'expired' end,
      case e.kind when 'reserved again' then -l.quantity else l.quantity end, l.order_id, null
    from order_lines l join order_events e on e.order_id = l.order_id
    where e.kind in ('expired', 'reserved again') and not exists (
      select from order_events c
      where c.order_id = l.order_id and c.line_id = l.id and c.kind = 'cancelled' and c.number < e.number)
  union all
  select l.part_id, e.at, 'cancelled', l.quantity, l.order_id, u.name
    from order_lines l join order_events e on e.order_id = l.order_id left join users u on u.id = e.by
    where e.kind = 'cancelled' and (e.line_id is null or e.line_id = l.id) and l.expired_at is null
  union all
  select l.part_id, r.completed_at, 'returned', r.restocked, l.order_id, u.name
    from order_lines l join refunds r on r.order_id = l.order_id and r.line_id = l.id left join users u on u.id = r.requested_by
    where r.restocked > 0 and r.completed_at is not null and r.failure is null
  union all
  select subject_id, at, case when action in ('restockPart', 'restockParts', 'receiveDelivery') then 'received' else 'corrected' end,
      (after ->> 'availableQuantity')::integer - (before ->> 'availableQuantity')::integer, null, by_name
    from audit_log
    where subject_kind = 'part' and before ? 'availableQuantity' and after ? 'availableQuantity';

insert into opening_stock (part_id, at, quantity)
  select p.id, p.created_at, p.available_quantity - coalesce(m.quantity, 0)
  from parts p left join (select part_id, sum(quantity) as quantity from stock_movements group by part_id) m on m.part_id = p.id;

create function record_opening_stock() returns trigger language plpgsql as $$
begin
  insert into opening_stock (part_id, at, quantity) values (new.id, new.created_at, new.available_quantity);
  return null;
end $$;
create trigger record_opening_stock after insert on parts for each row execute function record_opening_stock();

create table expected_deliveries (
  id text primary key,
  part_id text not null,
  expected_on date not null,
  quantity integer not null check (quantity > 0),
  created_at timestamptz not null,
  -- Once the day is over: pages no longer name it.
  overdue boolean not null default false
);
create index expected_deliveries_part on expected_deliveries (part_id, expected_on);
create index expected_deliveries_due on expected_deliveries (expected_on) where not overdue;

create function report_delivery_change() returns trigger language plpgsql as $$
begin
  raise info using message = 'changed', errcode = 'WW001', detail = 'content ' || coalesce(new.part_id, old.part_id);
  return null;
end $$;
create trigger report_change after insert or update or delete on expected_deliveries
  for each row execute function report_delivery_change();

create table stock_alerts (
  part_id text not null,
  user_id text not null references users (id) on delete cascade,
  created_at timestamptz not null,
  primary key (part_id, user_id)
);
