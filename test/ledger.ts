import { sql } from 'drizzle-orm'
import type { Database } from '#db/schema.ts'

/** Orders with the price and state that their lines have in common, without cancelled lines. */
const whole =
  sql.raw(`select order_id as id, max(paid_at) as paid_at, max(transaction_id) as transaction_id, max(expired_at) as expired_at,
  case when count(*) filter (where cancelled_at is null) = 0 then max(cancelled_at) end as cancelled_at,
  coalesce(sum(price * 100 + added_cents) filter (where cancelled_at is null), sum(price * 100 + added_cents)) + max(delivery_cents) as cents
  from (select l.*, o.delivery_cents from order_lines l join orders o on o.id = l.order_id) as l group by order_id`)

/** Invariants of money, orders and stock that hold at every moment. Each query selects the rows that violate one. */
// biome-ignore format: SQL
const always: Record<string, string> = {
  'the lines of an order that are not cancelled have one state': `
    select order_id as id from order_lines where cancelled_at is null
    group by 1 having count(distinct (paid_at, expired_at, transaction_id)) > 1`,
  'an order has the price, refunds and number of its lines that are not cancelled': `
    select o.id from orders o join order_lines l on l.order_id = o.id group by o.id
    having o.price <> coalesce(sum(l.price) filter (where l.cancelled_at is null), 0)
      or o.refunded_cents <> sum(l.refunded_cents) + o.refunded_delivery_cents
      or o.line_count <> count(*) filter (where l.cancelled_at is null)`,
  'the lines that a refund is for add up to it': `
    select l.reference as id from ledger l left join refund_lines r on r.ledger_number = l.number
    group by l.number having coalesce(sum(r.amount_cents), 0) + l.delivery_cents <> case when l.kind in ('refund', 'failed refund') then l.amount_cents else 0 end`,
  'what a line keeps of its refunds and disputes is what they add up to, without surplus payments': `
    with line as (
      select l.*, l.id = (select f.id from order_lines f where f.order_id = l.order_id order by f.cancelled_at is not null, f.position limit 1) as is_first
      from order_lines l
    ), counted as (
      select l.id as line_id, p.id as payment_id from order_lines l join payments p on p.order_id = l.order_id
      where l.transaction_id = p.id or l.transaction_id is null and (
        exists (select from order_lines paid where paid.transaction_id = p.id)
        or not exists (select from order_lines paid where paid.order_id = l.order_id and paid.transaction_id is not null))
    )
    select l.id from line l where (l.refunded_cents, l.disputed_cents, l.pending_refund_cents, coalesce(l.dispute, '')) <> (
      (select coalesce(-sum(r.amount_cents), 0) from refund_lines r join ledger e on e.number = r.ledger_number
        where r.line_id = l.id and (l.id, e.payment_id) in (select * from counted))
        + (select coalesce(sum(coalesce(i.amount_cents, r.amount_cents - r.delivery_cents)), 0) from refunds r left join refund_items i on i.refund_id = r.id
          where r.order_id = l.order_id and r.made_another_way and coalesce(i.line_id = l.id, l.is_first) and (l.id, r.payment_id) in (select * from counted)),
      (select coalesce(-sum(e.amount_cents), 0) from ledger e where e.order_id = l.order_id
        and e.kind like 'dispute%' and (l.id, e.payment_id) in (select * from counted)),
      (select coalesce(sum(coalesce(i.amount_cents, r.amount_cents - r.delivery_cents)), 0) from refunds r left join refund_items i on i.refund_id = r.id
        where r.order_id = l.order_id and r.completed_at is null and coalesce(i.line_id = l.id, l.is_first) and (l.id, r.payment_id) in (select * from counted)),
      (select coalesce((array_agg(d.status order by d.status <> 'open', d.status))[1], '') from disputes d where d.order_id = l.order_id
        and not d.inquiry and (l.id, d.payment_id) in (select * from counted)))`,
  'a paid order is not expired or cancelled and has a transaction id': `
    select id from whole where paid_at is not null and num_nonnulls(expired_at, cancelled_at) > 0
      or (paid_at is null) <> (transaction_id is null)`,
  'the transaction id of a paid order is a succeeded payment of exactly its price': `
    select o.id from whole o left join bank.payment_intents i on i.id = o.transaction_id and i.status = 'succeeded'
      and i.metadata->>'orderId' = o.id and i.amount = o.cents and i.currency = 'usd'
    where o.paid_at is not null and i.id is null`,
  'a rejected payment does not pay an order': `
    select o.id from whole o join refunds r on r.payment_id = o.transaction_id and r.requested_by is null`,
  'a payment pays at most one order': `
    select transaction_id as id from whole where transaction_id is not null group by 1 having count(*) > 1`,
  'an order has at most one open payment': `
    select order_id as id from payments where settled_at is null group by 1 having count(*) > 1`,
  'a settled payment has succeeded or is canceled at the bank': `
    select p.id from payments p join bank.payment_intents i on i.id = p.id
    where p.settled_at is not null and i.status not in ('succeeded', 'canceled')`,
  'an expired or cancelled order has no open payment': `
    select p.id from payments p join whole o on o.id = p.order_id
    where p.settled_at is null and num_nonnulls(o.expired_at, o.cancelled_at) > 0`,
  'a paid order has its payment in the ledger': `
    select o.id from whole o where paid_at is not null and not exists (
      select from ledger l where l.order_id = o.id and l.reference = o.transaction_id and l.kind = 'payment' and l.amount_cents = o.cents)`,
  'every payment in the ledger succeeded at the bank': `
    select l.reference as id from ledger l left join bank.payment_intents i on i.id = l.reference and i.status = 'succeeded'
      and coalesce(i.amount_received, i.amount) = l.amount_cents and i.metadata->>'orderId' = l.order_id and l.payment_id = i.id
    where l.kind = 'payment' and i.id is null`,
  'every refund in the ledger exists at the bank': `
    select l.reference as id from ledger l left join bank.refunds r on r.id = l.reference
      and r.amount = -l.amount_cents and r.payment_intent = l.payment_id
    where l.kind = 'refund' and r.id is null`,
  'the refunds of a payment do not exceed it': `
    select payment_id as id from ledger group by 1 having sum(amount_cents) < 0`,
  'the requested refunds of an order do not exceed its price': `
    select o.id from whole o join refunds r on r.payment_id = o.transaction_id and r.failure is null
    group by o.id, o.cents having sum(r.amount_cents) > o.cents
      and not exists (select from ledger l where l.order_id = o.id and l.kind = 'failed refund')`,
  'a requested refund is pending, failed or in the ledger exactly once': `
    select r.id from refunds r left join ledger l on l.refund_id = r.id group by r.id
    having case when r.completed_at is null or r.made_another_way then count(l.number) > 0 when r.failure is not null then sum(l.amount_cents) <> 0
      else count(l.number) filter (where l.kind = 'refund' and l.amount_cents = -r.amount_cents) <> 1 end`,
  'the shares of a refund of several lines add up to it': `
    select r.id from refunds r join refund_shares s on s.refund_id = r.id
    group by r.id having sum(s.amount_cents) + r.delivery_cents <> r.amount_cents or sum(s.restocked) <> r.restocked or r.line_id is not null`,
  'the restocked parts of a line do not exceed its quantity': `
    select o.id from order_lines o join refund_items i on i.line_id = o.id join refunds r on r.id = i.refund_id and r.failure is null
    group by o.id, o.quantity having sum(i.restocked) > o.quantity`,
  'what a line has shipped is in its shipments and events': `
    select l.id from order_lines l where l.shipped_quantity <> (
        select coalesce(sum(s.quantity), 0) from shipment_lines s where s.line_id = l.id)
      or l.shipped_quantity <> (
        select coalesce(sum(case e.kind when 'shipped' then e.quantity else -e.quantity end), 0)
        from order_events e where e.line_id = l.id and e.quantity is not null)`,
  'the returned quantity of a line is that of its refunds': `
    select l.id from order_lines l where l.returned_quantity <> (
      select coalesce(sum(i.restocked), 0) from refund_items i join refunds r on r.id = i.refund_id
      where i.line_id = l.id and r.failure is null)`,
  'a line is shipped exactly when something of it is shipped and nothing is left to ship': `
    select l.id from order_lines l where (l.shipped_at is not null)
      <> (l.shipped_quantity > 0 and l.quantity - l.shipped_quantity - l.returned_quantity <= 0)`,
  'nothing ships that is not left after earlier shipments and returns': `
    select e.line_id as id from order_events e join order_lines l on l.id = e.line_id where e.kind = 'shipped' and l.quantity < (
        select sum(case b.kind when 'shipped' then b.quantity else -b.quantity end)
        from order_events b where b.line_id = e.line_id and b.number <= e.number
      ) + (
        select coalesce(sum(i.restocked), 0) from refund_items i join refunds r on r.id = i.refund_id
        where i.line_id = e.line_id and r.created_at < e.at and (r.failure is null or r.completed_at > e.at))`,
  'a paid order has exactly one email of its payment, any other order none': `
    select o.id from whole o left join outbox m on m.body like '%/orders/' || o.id || '/receipt%'
      and (m.subject like 'Invoice for order%' or m.subject like '% is confirmed: %')
    group by o.id having count(m.*) <> count(distinct o.transaction_id)`,
  'what an order keeps of its charges is what was charged, and adds up': `
    select o.id from orders o, lateral (
      select coalesce(sum(price * 100 + added_cents), 0) as charged, coalesce(sum(tax_cents), 0) as tax from order_lines l
      where l.order_id = o.id and l.cancelled_at is null) as l
    where o.line_count > 0 and o.charges is not null and (
      (o.charges->>'total')::integer <> l.charged + o.delivery_cents
      or (o.charges->>'tax')::integer <> l.tax + (o.charges->>'deliveryTax')::integer
      or o.delivery_cents <> (o.charges->>'delivery')::integer + (o.charges->>'deliveryTax')::integer
      or (o.charges->>'tax')::integer <> (select coalesce(sum((t->>'tax')::integer), 0) from jsonb_array_elements(o.charges->'taxes') t)
      or (o.charges->>'total')::integer <> (o.charges->>'goods')::integer + (o.charges->>'delivery')::integer + (o.charges->>'tax')::integer)`,
  'what was refunded of a delivery is what the ledger has, and no more than was charged': `
    select o.id from orders o where coalesce((select -sum(l.delivery_cents) from ledger l where l.order_id = o.id), 0) > o.delivery_cents
      or o.refunded_delivery_cents <> coalesce((select -sum(l.delivery_cents) from ledger l where l.order_id = o.id), 0)
        + coalesce((select sum(r.delivery_cents) from refunds r where r.order_id = o.id and r.made_another_way), 0)`,
  'no line has more refunds of its payment than was charged for it': `
    select l.id from order_lines l join ledger e on e.payment_id = l.transaction_id join refund_lines r on r.ledger_number = e.number and r.line_id = l.id
    group by l.id having -sum(r.amount_cents) > l.price * 100 + l.added_cents`,
  'the payment of an order has exactly one invoice, of its price, and any other payment none': `
    select coalesce(o.id, i.order_id) as id from (select * from whole where paid_at is not null) o
    full join (select * from invoices where kind = 'invoice') i on i.order_id = o.id
    where i.reference is distinct from o.transaction_id or (i.content->>'total')::numeric * 100 <> o.cents`,
  'the credit notes of an invoice add up to the refunds of its payment': `
    select i.order_id as id from invoices i where kind = 'invoice'
      and (select coalesce(sum((c.content->>'total')::numeric * 100), 0) from invoices c where c.kind = 'credit note' and c.order_id = i.order_id)
      <> (select coalesce(-sum(amount_cents), 0) from ledger l where l.payment_id = i.reference and l.kind in ('refund', 'failed refund'))`,
  'the taxes of an invoice are those of its order, and every paper adds up': `
    select i.order_id as id from invoices i join orders o on o.id = i.order_id, lateral (
      select sum((t->>'tax')::integer) as tax, sum((t->>'base')::integer) as base from jsonb_array_elements(i.content->'charges'->'taxes') t) as t
    where i.content ? 'charges' and i.content->'charges'->>'mode' <> 'none' and (
      t.tax + t.base <> (i.content->>'total')::numeric * 100
      or i.kind = 'invoice' and t.tax <> (o.charges->>'tax')::integer
      or (select coalesce(sum((l->>'charged')::integer), 0) from jsonb_array_elements(i.content->'lines') l)
        + (i.content->'charges'->>'delivery')::integer <> (i.content->>'total')::numeric * 100)`,
  'the credit notes of an invoice that is refunded in full have its taxes': `
    with taxes as (
      select i.order_id, t->>'label' as label, case i.kind when 'invoice' then 1 else -1 end * (t->>'tax')::integer as tax,
        case i.kind when 'invoice' then 1 else -1 end * (t->>'base')::integer as base
      from invoices i, jsonb_array_elements(i.content->'charges'->'taxes') t
    ), refunded as (
      select order_id from invoices group by 1
      having sum(case kind when 'invoice' then 1 else -1 end * (content->>'total')::numeric) = 0
    )
    select order_id as id from taxes join refunded using (order_id) group by order_id, label having sum(tax) <> 0 or sum(base) <> 0`,
  'the movements of a stock add up to it': `
    select p.id from parts p left join stock_movements m on m.part_id = p.id
    group by p.id having p.available_quantity <> coalesce(sum(m.quantity), 0)`,
  'only invoices have credit notes': `
    select order_id as id from invoices group by 1 having count(*) filter (where kind = 'invoice') <> 1`,
  'invoices and credit notes are numbered without gaps': `
    select kind as id from invoices group by 1 having count(*) <> max(number) - min(number) + 1
      or max(number) <> (select last_number from invoice_counters c where c.kind = invoices.kind)`,
}

/** Invariants that hold once all webhooks are delivered and all jobs have run. */
// biome-ignore format: SQL
const afterSettlement: Record<string, string> = {
  'an order is paid if and only if exactly one payment of its price succeeded and was not rejected': `
    select o.id from whole o left join bank.payment_intents i on i.metadata->>'orderId' = o.id and i.status = 'succeeded'
      and i.amount = o.cents and i.currency = 'usd' and not exists (select from refunds r where r.payment_id = i.id and r.requested_by is null)
      and (o.paid_at is not null or (select sum(amount_cents) from ledger l where l.payment_id = i.id) > 0)
    group by o.id, o.paid_at having count(i.id) <> case when o.paid_at is null then 0 else 1 end`,
  'the ledger balance of a payment is its charges minus its refunds at the bank': `
    select i.id from bank.payment_intents i join whole o on o.id = i.metadata->>'orderId', lateral (
      select coalesce((select sum(amount_captured) from bank.charges c where c.payment_intent = i.id and c.status = 'succeeded'), 0)
        - coalesce((select sum(amount) from bank.refunds r where r.payment_intent = i.id and r.status in ('succeeded', 'pending')), 0)
        + coalesce((select sum((movement->>'amount')::integer) from bank.disputes d, jsonb_array_elements(d.balance_transactions) movement
            where d.payment_intent = i.id), 0) as balance
    ) bank where balance <> coalesce((select sum(amount_cents) from ledger l where l.payment_id = i.id and l.order_id = o.id), 0)`,
  'no refund is pending': `
    select id from refunds r where completed_at is null and not (refusal is not null and exists (
      select from disputes d where d.payment_id = r.payment_id and d.status <> 'won'))`,
  'every dispute at the bank is known': `
    select d.id from bank.disputes d join bank.payment_intents i on i.id = d.payment_intent join whole o on o.id = i.metadata->>'orderId'
    left join disputes known on known.id = d.id where known.status is distinct from case when d.status in ('won', 'lost') then d.status
      when d.status = 'warning_closed' then 'won' else 'open' end`,
  'a payment is open only while its order can be paid': `
    select p.id from payments p join whole o on o.id = p.order_id
    where p.settled_at is null and num_nonnulls(o.paid_at, o.expired_at, o.cancelled_at) > 0`,
  'an unpaid order has no money in the ledger except failed refunds': `
    select o.id from whole o join ledger l on l.order_id = o.id where o.paid_at is null
    group by o.id having sum(l.amount_cents) > coalesce(sum(l.amount_cents) filter (where l.kind = 'failed refund'), 0)`,
}

/** Parts for which stock plus quantities reserved or sold minus restocked ones differs from the initial stock. */
function partsOutOfBalance(stocked: [id: string, quantity: number][]) {
  const initial = stocked.map(([id, quantity]) => sql`(${id}, ${quantity}::integer)`)
  return sql`select p.id from parts p join (values ${sql.join(initial, sql`, `)}) as initial (id, quantity) on initial.id = p.id
    where p.available_quantity < 0 or initial.quantity <> p.available_quantity
      + coalesce((select sum(quantity) from order_lines o where o.part_id = p.id and o.cancelled_at is null and o.expired_at is null), 0)
      - coalesce((select sum(i.restocked) from refund_items i join refunds r on r.id = i.refund_id join order_lines o on o.id = i.line_id
          where o.part_id = p.id and r.completed_at is not null and r.failure is null), 0)`
}

/** The violated invariants, each with an id. `settled`: all events and jobs are done. */
export async function findLedgerErrors(
  db: Pick<Database, 'execute'>,
  { stocked, settled }: { stocked: [id: string, quantity: number][]; settled: boolean },
): Promise<string[]> {
  const rules = Object.entries({ ...always, ...(settled && afterSettlement) })
  const queries = rules.map(
    ([rule, query]) => sql`select ${rule}::text as rule, id from (${sql.raw(query)}) as violations`,
  )
  if (stocked.length > 0) {
    queries.push(
      sql`select 'available, reserved and sold quantities add up to the initial stock'::text as rule, id from (${partsOutOfBalance(stocked)}) as violations`,
    )
  }
  const result = await db.execute(sql`with whole as (${whole}) ${sql.join(queries, sql` union all `)}`)
  const { rows } = result as unknown as { rows: { rule: string; id: string }[] }
  return rows.map(({ rule, id }) => `${rule}: ${id}`)
}
