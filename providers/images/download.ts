import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { ShopError } from '#shop/errors.ts'
import { isHttps } from '#shop/fields.ts'
import { maxPictureBytes } from '#shop/pictures/picture.ts'
import type { Download } from '#shop/ports.ts'
import { isPublicAddress } from './public-address.ts'

interface Options {
  /** All addresses of a host; none for an unknown one. */
  resolve: (host: string, signal: AbortSignal) => Promise<string[]>
  isAllowed: (address: string) => boolean
  /** Where the hosts listen; URLs never name a port. */
  port: number
  /** Trusted instead of the public certificate authorities. */
  ca?: string
  timeoutMs: number
  /** How long a host may send nothing. */
  idleMs: number
}

const defaults: Options = {
  resolve: resolveHost,
  isAllowed: isPublicAddress,
  port: 443,
  timeoutMs: 8_000,
  idleMs: 2_000,
}

const maxRedirects = 3

/** The error message never says why, so that the shop cannot be used to probe a network. */
export function createDownload(options: Partial<Options> = {}): Download {
  const settings = { ...defaults, ...options }
  return async (address) => {
    // Covers all redirects together.
    const signal = AbortSignal.timeout(settings.timeoutMs)
    try {
      return await followRedirects(address, settings, signal)
    } catch {
      throw new ShopError('invalid', 'We couldn’t load a photo from this address. Use another one.')
    }
  }
}

async function followRedirects(address: string, settings: Options, signal: AbortSignal) {
  let url = new URL(address)
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await get(url, settings, signal)
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return readAll(response)
    response.destroy()
    if (statusCode < 300 || statusCode > 399 || !headers.location)
      throw new Error(`The response is ${statusCode}.`)
    url = new URL(headers.location, url)
  }
  throw new Error('There are too many redirects.')
}

async function get(url: URL, { resolve, isAllowed, port, ca, idleMs }: Options, signal: AbortSignal) {
  if (!isHttps(url.href) || url.port !== '')
    throw new Error('The URL must start with https:// and have no port, user name or password.')
  const hostname = url.hostname.replace(/^\[(.+)\]$/, '$1')
  const addresses = isIP(hostname) ? [hostname] : await resolve(hostname, signal)
  if (addresses.length === 0 || !addresses.every(isAllowed)) throw new Error('The host is not public.')
  const checked = addresses.map((address) => ({ address, family: isIP(address) }))

  const outgoing = request({
    hostname,
    port,
    path: url.pathname + url.search,
    headers: {
      host: url.host,
      accept: 'image/webp, image/png, image/jpeg',
      'user-agent': 'winged-wheels',
    },
    signal,
    timeout: idleMs,
    agent: false,
    ...(ca && { ca }),
    // Connects to the addresses that were checked: a second lookup could answer others.
    lookup: (_hostname, { all }, done) =>
      all ? done(null, checked) : done(null, checked[0]!.address, checked[0]!.family),
  })
  // Without a listener, an error after the response could end the process.
  outgoing.on('error', () => {})
  outgoing.on('timeout', () => outgoing.destroy(new Error('The host didn’t respond.')))
  const [response] = await once(outgoing.end(), 'response', { signal })
  return response as IncomingMessage
}

async function readAll(response: IncomingMessage) {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  // Leaving the loop closes the connection.
  for await (const chunk of response) {
    length += chunk.length
    if (length > maxPictureBytes) throw new Error('The photo is too large.')
    chunks.push(chunk)
  }
  return new Blob(chunks)
}

/** Not `dns.lookup`, which blocks a thread of Node's pool for as long as a name server takes. */
async function resolveHost(host: string, signal: AbortSignal) {
  const resolver = new Resolver({ timeout: 3_000, tries: 1 })
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}
