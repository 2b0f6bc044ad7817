// A bare server that stores an order with one prepared statement a request: what the shop's orders are compared with.
import { createServer } from 'node:http'
import pg from 'pg'

const [url, port] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 10 })
await pool.query(`create table stock (id integer primary key, available integer not null check (available >= 0));
  create table orders (id bigserial primary key, part integer not null, quantity integer not null, address text not null);
  create table mails (id bigserial primary key, body text not null);
  insert into stock select i, 1000000000 from generate_series(0, 15) i`)
const mail = 'x'.repeat(6_000)
const text = `with taken as (update stock set available = available - $2 where id = $1 and available >= $2 returning id),
  ordered as (insert into orders (part, quantity, address) select id, $2, $3 from taken)
  insert into mails (body) select $4 from taken`

createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', async () => {
    const { part, quantity, address } = JSON.parse(Buffer.concat(chunks).toString())
    const { rowCount } = await pool.query({ name: 'order', text, values: [part, quantity, address, mail] })
    response.writeHead(rowCount ? 200 : 409, { 'Content-Type': 'application/json' }).end('{}')
  })
}).listen(Number(port), '127.0.0.1', () => console.log('listening'))
