import { BlockList, isIP } from 'node:net'

/** https://www.iana.org/assignments/iana-ipv4-special-registry, multicast, and the host agent of Azure's machines. */
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Within 2000::/3: Teredo and other protocols, documentation, and 6to4, which leads to an IPv4 address. */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const special = new BlockList()
for (const subnet of specialIpv4) special.addSubnet(...parse(subnet), 'ipv4')
for (const subnet of specialIpv6) special.addSubnet(...parse(subnet), 'ipv6')

/** Excludes loopback, link-local, unique local, multicast, IPv4-mapped and NAT64 addresses. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address)
  return isIP(address) === 6 && globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

function parse(subnet: string): [network: string, prefix: number] {
  const [network = '', prefix] = subnet.split('/')
  return [network, Number(prefix)]
}
