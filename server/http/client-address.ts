import { BlockList, isIP } from 'node:net'

/** False trusts no proxy, a number that many of them, a list those with these addresses or networks. */
export type TrustProxy = false | number | string[]

/** The client's IP address: the nearest entry of X-Forwarded-For that no trusted proxy has, or the connection's. */
export function findClientAddress(
  trust: TrustProxy,
  peer: string | undefined,
  forwardedFor: string | undefined,
): string {
  const connection = peer ?? 'unknown'
  if (trust === false) return connection
  const entries = (forwardedFor ?? '').split(',').map(withoutPort)
  // The client's own part of the header may say anything; what the trusted proxies wrote is an address.
  const hops = [...entries.slice(entries.findLastIndex((entry) => !isIP(entry)) + 1), connection]
  if (typeof trust === 'number') return hops.at(-1 - trust) ?? hops[0]!
  const trusted = networks(trust)
  return hops.findLast((hop) => !contains(trusted, hop)) ?? hops[0]!
}

/** Whether a connection is one of a trusted proxy, which all are when only their number is known. */
export function trustedProxies(trust: TrustProxy): (peer: string | undefined) => boolean {
  if (!Array.isArray(trust)) return () => trust !== false
  const trusted = networks(trust)
  return (peer = '') => contains(trusted, peer)
}

export function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/')
  const family = isIP(address)
  if (!family || rest.length > 0) return false
  return (
    bits === undefined ||
    (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128))
  )
}

function networks(values: string[]): BlockList {
  const list = new BlockList()
  for (const value of values) {
    const [address = '', bits] = value.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

function contains(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

function withoutPort(entry: string): string {
  return entry
    .trim()
    .replace(/^\[(.+)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
}
