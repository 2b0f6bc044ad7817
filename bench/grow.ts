import pg from 'pg'

/** Adds orders of 20,000 customers, one item each: 2 % unpaid and new, since a job would expire older ones one after another, 8 % expired, 3 % cancelled, the others paid and most of them shipped. */
export async function growShop(url: string, from: number, to: number) {
  const client = new pg.Client(url)
  await client.connect()
  const numbers = `generate_series(${from + 1}, ${to}) i`
  // Without triggers, of which the statements do the work.
  await client.query(`set session_replication_role = replica`)
  if (from === 0)
    await client.query(`insert into users (id, number, issuer, subject, email, name, role, token_version, created_at)
      select 'u' || i, 1000000 + i, 'bench', 'u' || i, 'user' || i || '@example.com',
        (array['Ada', 'Bruno', 'Chloé', 'Dmitri'])[1 + i % 4] || ' ' || (array['Miller', 'Ørsted', 'Okafor', 'Tanaka'])[1 + i / 4 % 4] || ' ' || i,
        'customer', 0, now() from generate_series(1, 20000) i`)
  await client.query(`insert into parts (id, number, name, short_description, description, image, brand, category, min_quantity,
      available_quantity, per_unit_price, created_at, views, part_number)
    select 'p' || i, 100000 + i, (array['Chain', 'Crankset', 'Hub', 'Saddle', 'Stem', 'Tyre', 'Rotor', 'Caliper'])[1 + i % 8] || ' ' || i,
      'Twelve-speed part for gravel ' || i % 100, 'Runs quietly. ' || md5(i::text), (select image from parts limit 1),
      (array['Talon', 'Brightrim', 'Kestrel', 'Velora'])[1 + i % 4], (array['Chains', 'Cranks', 'Hubs', 'Saddles', 'Stems'])[1 + i % 5],
      5 + i % 20, i * 7919 % 1000, 5 + i * 31 % 300, now(), '{}', 'B-' || i
    from generate_series(${from / 10 + 1}, ${to / 10}) i`)
  await client.query(`insert into part_search
    select number, per_unit_price, min_quantity, available, search_words_and_number(search, part_number_key), brand, category, name, id
    from parts where deleted_at is null on conflict do nothing`)
  // Twelve numbers, of which every other one has eight values, and eight choices.
  if (from === 0)
    await client.query(`insert into attributes (id, key, category, name, kind, unit, choices, position, is_filter)
      select 'a' || i, 'size-' || i, '', 'Size ' || i, case when i <= 12 then 'number' else 'choice' end, case when i <= 12 then 'mm' end,
        case when i <= 12 then '{}' else array['Steel', 'Alloy', 'Carbon'] end, i, i % 5 < 2 from generate_series(1, 20) i`)
  await client.query(`insert into part_attributes (part_id, attribute_id, text, low, high)
    select 'p' || n, 'a' || i, case when i <= 12 then '' else (array['Steel', 'Alloy', 'Carbon'])[1 + (n + i) % 3] end, value, value
    from generate_series(${from / 10 + 1}, ${to / 10}) n, generate_series(1, 20) i,
      lateral (select case when i <= 12 then case when i % 2 = 0 then 100 + (n * 31 + i) % 8 * 20 else (n * 7919::bigint + i) % 900 end end as value) as values`)
  await client.query(`insert into part_words (number, per_unit_price, min_quantity, available, brand, category, name, part_id, name_key, name_order, words)
    select number, per_unit_price, min_quantity, available, brand, category, name, id, name_key(name), name_order(name),
      weigh_part_words(name, brand, category, short_description, description, part_number) || weigh_words(specified_text(id, category), 'D', false)
    from parts where deleted_at is null on conflict do nothing`)
  // As imports do, part by part: one update of all would leave a table of twice the size.
  const tenth = (to - from) / 100
  for (let first = from / 10 + 1; first <= to / 10; first += tenth) {
    await client.query(
      `select refresh_filters(array(select 'p' || n from generate_series(${first}, ${first + tenth - 1}) n))`,
    )
    await client.query('vacuum part_words')
  }
  await client.query(`insert into facet_names select name, name_key(name) from (select brand from parts union select category from parts) as names (name)
    on conflict do nothing`)
  await client.query(`insert into interfaces (kind, text)
    select 'freehub', 'freehub:' || body from unnest(array['HG', 'XD', 'XDR', 'N3W']) body
    union all select 'cassette-mount', 'cassette-mount:' || body from unnest(array['HG', 'XD', 'XDR', 'N3W']) body
    union all select 'tyre', 'tyre:622;width=' || width from generate_series(20, 69) width
    union all select 'clearance', 'clearance:622;width=' || width from generate_series(30, 79) width
    on conflict do nothing`)
  await client.query(`insert into part_interfaces (part_id, interface_id, kind, role, source, number)
    select 'p' || i, interfaces.id, interfaces.kind, 'has', 'bench', 100000 + i
    from generate_series(${from / 10 + 1}, ${to / 10}) i join interfaces on interfaces.text =
      case i % 8 when 0 then 'cassette-mount:' when 2 then 'freehub:' when 5 then 'tyre:622;width=' when 6 then 'clearance:622;width=' end ||
      case when i % 8 in (0, 2) then (array['HG', 'XD', 'XDR', 'N3W'])[1 + i / 8 % 4] else (30 + i / 8 % 40)::text end
    on conflict do nothing`)
  await client.query(`insert into orders (id, number, user_id, name, email, price, address, phone_number, created_at, line_count, recipient, shipped_at)
    select 'o' || i, 2000 + i, u.id, u.name, u.email, (3 + i * 37 % 50) * (5 + i * 13 % 400), i % 900 || ' Canal Street, Port ' || i % 99999,
      '0170' || lpad(i::text, 7, '0'), now() - case when i % 100 < 2 then interval '0' else (${to} - i) * interval '30 seconds' end,
        case when i % 100 between 10 and 12 then 0 else 1 end, u.name, case when i % 100 > 12 and i % 10 <> 1 then now() - (${to} - i) * interval '30 seconds' end
    from ${numbers} join users u on u.id = 'u' || (1 + i::bigint * 7919 % 20000)`)
  await client.query(`insert into order_lines (id, order_id, position, order_number, search_text, part_id, parts, unit_price, quantity, price,
      transaction_id, payment_provider, paid_at, expired_at, cancelled_at, shipped_at, shipped_quantity, refunded_cents)
    select o.id, o.id, 1, o.number, o.search_text || ' ' || fold(p.name), p.id, p.name, 3 + i * 37 % 50, 5 + i * 13 % 400, o.price,
      case when paid then 'pi_' || i end, case when paid then 'test bank' end, case when paid then o.created_at end,
      case when i % 100 between 2 and 9 then o.created_at end, case when i % 100 between 10 and 12 then o.created_at end,
      case when shipped then o.created_at end, case when shipped then 5 + i * 13 % 400 else 0 end, case when i % 33 = 5 and paid then 500 else 0 end
    from (select i, i % 100 > 12 as paid, i % 100 > 12 and i % 10 <> 1 as shipped from ${numbers}) n
      join orders o on o.id = 'o' || i join parts p on p.id = 'p' || (1 + i::bigint * 104729 % ${to / 10})`)
  await client.query(`update order_counter set last_number = ${2_000 + to}`)
  await client.query('vacuum analyze')
  // Otherwise Postgres writes what was added while the shop is measured.
  await client.query('checkpoint')
  await client.end()
}
