import ipaddr from 'ipaddr.js'

/** Names, addresses and networks that outgoing requests may reach although they are private. */
export type AllowedHosts = {
  hasName(host: string): boolean
  hasAddress(address: string): boolean
  /** True if a name that is not listed may resolve to an allowed address. */
  hasNetworks: boolean
}

/** `hosts`: host names, addresses, or networks like `10.0.0.0/8`, in lower case. */
export function allowedHosts(hosts: readonly string[]): AllowedHosts {
  const names = new Set(hosts.map(bareHost))
  const networks = hosts
    .filter((host) => ipaddr.isValidCIDR(host))
    .map((host) => ipaddr.parseCIDR(host))
  const addresses = new Set(hosts.map(bareHost).filter(ipaddr.isValid).map(normal))
  return {
    hasNetworks: networks.length > 0,
    hasName: (host) => names.has(bareHost(host)),
    hasAddress(address) {
      const parsed = ipaddr.process(address)
      if (addresses.has(parsed.toNormalizedString())) return true
      return networks.some(([network, bits]) => {
        return network.kind() === parsed.kind() && parsed.match([network, bits] as never)
      })
    },
  }
}

/** A host name in the form that is compared: lower case, no brackets, no dot at the end. */
export function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

// All public IPv6 addresses lie here; for the library, addresses elsewhere that embed an IPv4
// address (::/96) count as unicast.
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Returns true if `address` is public: not loopback, private, link-local (where clouds keep their
 * metadata), shared, multicast, reserved, nor an IPv6 form that hides an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_V6)
}

export function isAddress(host: string): boolean {
  return ipaddr.isValid(host)
}

function normal(address: string): string {
  return ipaddr.process(address).toNormalizedString()
}

// Ports of other services, to which browsers send no requests either (Fetch standard: port
// blocking). A mail server, for example, could read an HTTP request as commands.
const OF_OTHERS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
])

/**
 * Returns true if the port of an address may be a web server's; `''` is the default port of its
 * scheme.
 */
export function isWebPort(port: string): boolean {
  return port === '' || !OF_OTHERS.has(Number(port))
}
