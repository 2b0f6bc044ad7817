import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { viesRegister } from './vies.ts'

type Reply = (response: ServerResponse) => void

const json = (body: object, status = 200): Reply => {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Answers as the REST API of VIES does, and keeps what it was asked. */
async function startVies(reply: Reply) {
  const asked: { path: string; body: object }[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    asked.push({ path: `${request.method} ${request.url}`, body: JSON.parse(await text(request)) })
    reply(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest-api/`, asked }
}

const valid = {
  countryCode: 'AT',
  vatNumber: 'U13585627',
  requestDate: '2026-11-30T09:00:00.000Z',
  valid: true,
  requestIdentifier: 'WAPIAAAAXYZ1234',
  name: 'SPOKE & SONS GMBH',
  address: 'RING 1\n1010 WIEN',
  traderName: '---',
}

test('viesRegister asks with the shop’s own number, and returns the consultation number and the name', async () => {
  const { url, asked } = await startVies(json(valid))
  expect(await viesRegister(url).check('ATU13585627', 'DE136695976')).toEqual({
    valid: true,
    consultation: 'WAPIAAAAXYZ1234',
    registeredName: 'SPOKE & SONS GMBH',
  })
  const body = { countryCode: 'AT', vatNumber: 'U13585627' }
  const requester = { requesterMemberStateCode: 'DE', requesterNumber: '136695976' }
  expect(asked).toEqual([{ path: 'POST /rest-api/check-vat-number', body: { ...body, ...requester } }])
  await viesRegister(url).check('ATU13585627', null)
  expect(asked[1]!.body).toEqual(body)
})

test('viesRegister returns that a number is invalid, without what the country does not tell', async () => {
  const { url } = await startVies(json({ ...valid, valid: false, requestIdentifier: '', name: '---' }))
  expect(await viesRegister(url).check('ATU13585627', null)).toEqual({
    valid: false,
    consultation: null,
    registeredName: null,
  })
})

const failures: Record<string, Reply> = {
  'a register of a country that is down': json({
    actionSucceed: false,
    errorWrappers: [{ error: 'MS_UNAVAILABLE' }],
  }),
  'an error beside a no': json({ ...valid, valid: false, userError: 'MS_MAX_CONCURRENT_REQ' }),
  'a status of 500': json({}, 500),
  'a page instead of JSON': (response) => response.end('<html>'),
  'a redirect': (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  'a closed connection': (response) => response.destroy(),
  'no answer in time': () => {},
}
for (const [failure, reply] of Object.entries(failures))
  test(`viesRegister takes ${failure} for no answer`, async () => {
    const { url } = await startVies(reply)
    expect(await viesRegister(url, 300).check('ATU13585627', null)).toBeNull()
  })
