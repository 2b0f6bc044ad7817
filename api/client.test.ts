import { afterEach, expect, test, vi } from 'vitest'
import { createClient } from './client.ts'
import { api } from './contract.ts'

const review = { address: '1 Hub Road', reviews: 'Quiet', rating: 5 }
const unsigned = () => Response.json({ message: 'Please sign in.' }, { status: 401 })

afterEach(() => void vi.useRealTimers())

function clientThat(send: (request: Request) => Response | Promise<Response>, more = {}) {
  return createClient(api, { origin: 'http://shop.test', token: () => 'token', send, ...more })
}

test('a call that nobody answers ends after half a minute, in words', async () => {
  vi.useFakeTimers()
  const client = clientThat(
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  const call = expect(client.listReviews()).rejects.toMatchObject({
    status: 0,
    message: 'The shop takes too long to answer. Please try again.',
  })
  await vi.advanceTimersByTimeAsync(29_000)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  await call
})

test('a shop that cannot be reached is said so', async () => {
  const client = clientThat(() => Promise.reject(new TypeError('fetch failed')))
  await expect(client.listReviews()).rejects.toMatchObject({
    status: 0,
    message: 'The shop cannot be reached. Please check your connection and try again.',
  })
})

test('an answer that is not the shop’s is never taken for one', async () => {
  const message = 'The shop has changed meanwhile. Please load this page again.'
  for (const answer of ['<h1>Welcome to the hotel</h1>', '[{ "rating": "five" }]', '']) {
    const client = clientThat(() => new Response(answer))
    await expect(client.listReviews(), answer).rejects.toMatchObject({ status: 200, message })
  }
})

test('a failure without words gets some', async () => {
  const client = clientThat(() => new Response('Bad gateway', { status: 502 }))
  await expect(client.listReviews()).rejects.toMatchObject({ status: 502, message: 'Something went wrong.' })
})

test('a refused token is renewed once, and the call made again', async () => {
  const answers = [unsigned(), Response.json({ insertedId: 'r1' }, { status: 201 })]
  const [renew, refused] = [vi.fn(async () => true), vi.fn()]
  const client = clientThat(() => answers.shift()!, { renew, refused })
  expect(await client.addReview({ body: review })).toEqual({ insertedId: 'r1' })
  expect(renew).toHaveBeenCalledOnce()
  expect(refused).not.toHaveBeenCalled()
})

test('a token that is refused again, or cannot be renewed, is told', async () => {
  for (const renewed of [true, false]) {
    const refused = vi.fn()
    const client = clientThat(unsigned, { renew: async () => renewed, refused })
    await expect(client.addReview({ body: review })).rejects.toMatchObject({ status: 401 })
    expect(refused).toHaveBeenCalledOnce()
  }
})
