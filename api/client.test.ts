import { ReadableStream as WebStream } from 'node:stream/web'
import { afterEach, expect, test, vi } from 'vitest'
import { createClient } from './client.ts'
import { api } from './contract.ts'

const review = { address: '1 Hub Road', reviews: 'Quiet', rating: 5 }
const unauthorized = () => Response.json({ message: 'Please sign in.' }, { status: 401 })

afterEach(() => void vi.useRealTimers())

function clientWith(send: (request: Request) => Response | Promise<Response>, options = {}) {
  return createClient(api, { origin: 'http://shop.test', token: () => 'token', send, ...options })
}

test('a call without a response times out after 30 seconds with a readable message', async () => {
  vi.useFakeTimers()
  const client = clientWith(
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  const call = expect(client.listReviews()).rejects.toMatchObject({
    status: 0,
    message: 'The shop isn’t responding. Try again.',
  })
  await vi.advanceTimersByTimeAsync(29_000)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  await call
})

test('a large call has three minutes, and a file as long as it keeps arriving', async () => {
  vi.useFakeTimers()
  const pause = Promise.withResolvers<void>()
  const chunks = (async function* () {
    yield new TextEncoder().encode('Email\r\n')
    await pause.promise
    yield new TextEncoder().encode('ada@example.com\r\n')
    await new Promise(() => {})
  })()
  const body = WebStream.from(chunks) as ReadableStream<Uint8Array<ArrayBuffer>>
  const progress = vi.fn()
  const headers = { 'content-type': 'text/csv' }
  const file = clientWith(({ signal }) => {
    signal.addEventListener('abort', () => body.cancel().catch(() => {}))
    return new Response(body, { headers })
  }).exportUsers({ onProgress: progress })
  file.catch(() => {})
  const sent = Promise.withResolvers<AbortSignal>()
  const never = clientWith(({ signal }) => {
    sent.resolve(signal)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const large = expect(never.previewImport({ body: { csv: 'Name' } })).rejects.toMatchObject({ status: 0 })
  const signal = await sent.promise
  await vi.advanceTimersByTimeAsync(29_000)
  pause.resolve()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(progress.mock.calls).toEqual([[7], [24]])
  expect(vi.getTimerCount()).toBe(2)
  await vi.advanceTimersByTimeAsync(121_000)
  expect([signal.aborted, vi.getTimerCount()]).toEqual([false, 1])
  await vi.advanceTimersByTimeAsync(1_000)
  await large
})

test('an address has its parameters encoded, and of a query only what is defined', async () => {
  const addresses: string[] = []
  const client = clientWith(({ url }) => {
    addresses.push(url.replace('http://shop.test/api', ''))
    return Response.json([])
  })
  await client.readPart({ params: { partId: 'a/b?c#d e' } }).catch(() => {})
  await client.listParts({ body: { q: 'a&b', brand: undefined, limit: 2 } })
  expect(addresses).toEqual(['/part/a%2Fb%3Fc%23d%20e', '/part?q=a%26b&limit=2'])
})

test('a network failure rejects with a readable message', async () => {
  const client = clientWith(() => Promise.reject(new TypeError('fetch failed')))
  await expect(client.listReviews()).rejects.toMatchObject({
    status: 0,
    message: 'We can’t reach the shop. Check your connection and try again.',
  })
})

test('a response that does not match the contract is rejected', async () => {
  const message = 'This page is out of date. Reload it and try again.'
  for (const body of ['<h1>Welcome to the hotel</h1>', '[{ "rating": "five" }]', '']) {
    const client = clientWith(() => new Response(body))
    await expect(client.listReviews(), body).rejects.toMatchObject({ status: 200, message })
  }
})

test('an error response without a message gets one for its status', async () => {
  const messages = {
    400: 'Something went wrong. Try again.',
    413: 'The server in front of the shop doesn’t accept a file of this size. Choose a smaller one, or raise the server’s limit.',
    502: 'The shop isn’t responding. Try again.',
    503: 'The shop isn’t responding. Try again.',
    504: 'The shop isn’t responding. Try again.',
    505: 'Something went wrong. Try again.',
  }
  for (const [status, message] of Object.entries(messages)) {
    const client = clientWith(() => new Response('<h1>nginx</h1>', { status: Number(status) }))
    await expect(client.listReviews()).rejects.toMatchObject({ status: Number(status), message })
  }
})

test('a 401 response after a sign-out does not renew the session or end another one', async () => {
  const [renewToken, onUnauthorized] = [vi.fn(async () => true), vi.fn()]
  let token: string | null = 'token'
  const send = () => {
    token = null
    return unauthorized()
  }
  const client = clientWith(send, { token: () => token, renewToken, onUnauthorized })
  await expect(client.addReview({ body: review })).rejects.toMatchObject({ status: 401 })
  expect(renewToken).not.toHaveBeenCalled()
  expect(onUnauthorized).not.toHaveBeenCalled()
})

test('a 401 response for another account than the one that is signed in by then is neither retried nor ends its session', async () => {
  for (const during of ['the call', 'the renewal']) {
    let account = 'ada'
    const onUnauthorized = vi.fn()
    const send = vi.fn(() => {
      if (during === 'the call') account = 'bob'
      return unauthorized()
    })
    const renewToken = vi.fn(async () => {
      account = 'bob'
      return true
    })
    const client = clientWith(send, {
      token: () => account,
      account: () => account,
      renewToken,
      onUnauthorized,
    })
    await expect(client.addReview({ body: review }), during).rejects.toMatchObject({ status: 401 })
    expect(send, during).toHaveBeenCalledOnce()
    expect(renewToken, during).toHaveBeenCalledTimes(during === 'the call' ? 0 : 1)
    expect(onUnauthorized, during).not.toHaveBeenCalled()
  }
})

test('a call can be aborted', async () => {
  const controller = new AbortController()
  const client = clientWith(
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  const call = client.readBasket({ signal: controller.signal })
  controller.abort()
  await expect(call).rejects.toMatchObject({ status: 0 })
})

test('a call that is aborted before it starts is not sent', async () => {
  const send = vi.fn(unauthorized)
  const call = clientWith(send).readBasket({ signal: AbortSignal.abort() })
  await expect(call).rejects.toMatchObject({ status: 0 })
  expect(send).not.toHaveBeenCalled()
})

test('a 401 response renews the token once and retries the call', async () => {
  const responses = [unauthorized(), Response.json({ insertedId: 'r1' }, { status: 201 })]
  const [renewToken, onUnauthorized] = [vi.fn(async () => true), vi.fn()]
  const client = clientWith(() => responses.shift()!, { renewToken, onUnauthorized })
  expect(await client.addReview({ body: review })).toEqual({ insertedId: 'r1' })
  expect(renewToken).toHaveBeenCalledOnce()
  expect(onUnauthorized).not.toHaveBeenCalled()
})

test('a second 401 response or a failed renewal calls onUnauthorized once', async () => {
  for (const renewed of [true, false]) {
    const onUnauthorized = vi.fn()
    const client = clientWith(unauthorized, { renewToken: async () => renewed, onUnauthorized })
    await expect(client.addReview({ body: review })).rejects.toMatchObject({ status: 401 })
    expect(onUnauthorized).toHaveBeenCalledOnce()
  }
})
