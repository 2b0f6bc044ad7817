import { decodeJwt } from 'jose'
import { expect } from 'vitest'
import { outbox } from '#db/embedded.ts'
import { type TestShop, testApi, testShop } from './shop.ts'

export const ada = { name: 'Ada', email: 'ada@example.com', password: 'secret-1' }

interface Visit {
  clientAddress?: string
  /** Of another browser, to begin with. */
  cookies?: Iterable<[name: string, value: string]>
  /** Origin header of POST requests. */
  origin?: string
  /** Base URL of the requests. */
  at?: string
}

/** A browser of the embedded identity provider that stores cookies and follows no redirects. */
export function browserAt(
  { identity }: Pick<TestShop, 'identity'>,
  { at = 'http://shop.test', origin = at, clientAddress = '192.0.2.1', cookies: stolen = [] }: Visit = {},
) {
  const cookies = new Map(stolen)

  async function send(url: string, init: RequestInit = {}, headers: Record<string, string> = {}) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const request = new Request(new URL(url, at), {
      ...init,
      headers: { ...(cookie && { cookie }), ...headers },
    })
    const response = await identity.fetch(request, clientAddress)
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) as unknown as [string, string, string]
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  const browser = {
    cookies,
    send,
    get: (path: string) => send(`/identity${path}`),
    post: (path: string, body: object, headers: Record<string, string> = {}) => {
      const init = { method: 'POST', body: JSON.stringify(body) }
      return send(`/identity${path}`, init, { origin, 'content-type': 'application/json', ...headers })
    },
    submit: (url: string, fields: Record<string, string>) =>
      send(url, { method: 'POST', body: new URLSearchParams(fields) }),
    async register(person = ada) {
      const response = await browser.post('/sign-up/email', person)
      if (!response.ok) throw new Error(await response.text())
      return browser
    },
    signIn: (password = ada.password, email = ada.email) =>
      browser.post('/sign-in/email', { email, password }),
    async idToken(): Promise<string> {
      return (await (await browser.get('/token')).json()).token
    },
  }
  return browser
}
export type TestBrowser = ReturnType<typeof browserAt>

/** A shop and the browser in which Ada has registered. */
export async function shopWithBrowser(options: Parameters<typeof testShop>[0] = {}) {
  const shop = await testShop(options)
  return { shop, browser: await browserAt(shop).register() }
}

export async function expectAnswer(response: Response, status: number, message: unknown, what?: string) {
  const answer = await response.json()
  expect([response.status, answer.message], what).toEqual([status, message])
}

export function exchangeIdToken(shop: TestShop, idToken: string, email = String(decodeJwt(idToken).email)) {
  const headers = { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ email })
  return testApi(shop).request(`/api/user/${email}`, { method: 'PUT', headers, body })
}

export async function accessTokenOf(shop: TestShop, browser: TestBrowser): Promise<string> {
  return (await (await exchangeIdToken(shop, await browser.idToken())).json()).token
}

/** The response status of a call with that access token. */
export async function statusWithToken(shop: TestShop, accessToken: string) {
  const headers = { authorization: `Bearer ${accessToken}` }
  const { email } = decodeJwt<{ email: string }>(accessToken)
  return (await testApi(shop).request(`/api/admin/${email}`, { headers })).status
}

export async function sentEmails(shop: TestShop) {
  return shop.db.select().from(outbox).orderBy(outbox.number)
}

export async function resetCode(shop: TestShop): Promise<string> {
  const newest = (await sentEmails(shop)).at(-1)
  const [, code] = /\/reset-password\?token=([\w-]+)/.exec(newest?.body ?? '') ?? []
  if (!code) throw new Error('The last email has no reset link')
  return code
}

/** The token of the newest confirmation link. */
export async function confirmationToken(shop: TestShop): Promise<string> {
  const links = (await sentEmails(shop)).flatMap(({ body }) => [
    ...body.matchAll(/\/confirm-email\?token=([\w-]+)/g),
  ])
  const newest = links.at(-1)?.[1]
  if (!newest) throw new Error('No email has a confirmation link')
  return newest
}
