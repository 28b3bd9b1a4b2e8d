import ipaddr from 'ipaddr.js'

/** Names, addresses and networks that outgoing requests may reach although they are private. */
export type AllowedHosts = {
  hasName(host: string): boolean
  hasAddress(address: string): boolean
  /** Whether a name that is not listed may resolve to an allowed address. */
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
 * Whether `address` is public: not loopback, private, link-local (where clouds keep their
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
