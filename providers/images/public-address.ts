import ipaddr from 'ipaddr.js'

/** Answers the host agent of Azure's machines alone. */
const azureHostAgent = '168.63.129.16'

/** False for special addresses, and for those of IPv6 outside 2000::/3, which nobody has been given. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4)
    // `127.1` and `0x7f000001` are read, too.
    return parsed.toString() === address && parsed.range() === 'unicast' && address !== azureHostAgent
  return parsed.range() === 'unicast' && parsed.match(ipaddr.parse('2000::'), 3)
}
