import ipaddr from 'ipaddr.js'

/** Returns true for the address of a proxy whose `X-Forwarded-For` is trusted. */
export type IsProxy = (address: string) => boolean

const RANGES: Record<string, readonly string[]> = {
  loopback: ['loopback'],
  private: ['loopback', 'private', 'linkLocal', 'uniqueLocal'],
}

/** `proxies`: addresses, networks such as `10.0.0.0/8`, `loopback` or `private`. */
export function proxiesAt(proxies: readonly string[]): IsProxy {
  const ranges = new Set<string>(proxies.flatMap((text) => RANGES[text] ?? []))
  const networks = proxies.flatMap((text) => (RANGES[text] ? [] : [networkOf(text)]))
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    if (ranges.has(address.range())) return true
    return networks.some(
      ([network, bits]) =>
        network.kind() === address.kind() && address.match([network, bits] as never),
    )
  }
}

function networkOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/**
 * Returns the sender of the request: the peer of the connection or, if that is a proxy, the address
 * that the proxy saw. Each proxy appends what it saw to `X-Forwarded-For`, so the entries are read
 * from the right, up to the first that is no proxy: what stands left of it is the caller's own
 * claim. If all are proxies, the first of them sent the request.
 */
export function clientAddress(
  request: Request,
  peer: string | undefined,
  isProxy: IsProxy,
): string {
  let sender = canonical(peer)
  const hops = forwardedAddresses(request)
  while (sender !== undefined && isProxy(sender) && hops.length > 0) {
    const before = canonical(hops.pop())
    if (before === undefined) break
    sender = before
  }
  return sender ?? 'unknown'
}

// Headers in which proxies name the caller; without them a proxy on this machine looks like the
// caller itself.
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Returns true if the request began on this machine. Its peer must be loopback, it must be sent to
 * a loopback name (a tunnel, or a page that rebinds its name, has another), and no proxy may have
 * passed it on, except a trusted one that names loopback addresses alone.
 */
export function fromThisMachine(
  request: Request,
  peer: string | undefined,
  isProxy: IsProxy,
): boolean {
  const sender = canonical(peer)
  if (sender === undefined || !isLoopback(sender) || !isLoopbackName(request.url)) return false
  if (isProxy(sender) && request.headers.has('x-forwarded-for')) {
    return forwardedAddresses(request).every(isLoopback)
  }
  return !FORWARDED.some((name) => request.headers.has(name))
}

function forwardedAddresses(request: Request): string[] {
  const entries = request.headers.get('x-forwarded-for')?.split(',') ?? []
  return entries.map((entry) => entry.trim())
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

function isLoopbackName(url: string): boolean {
  const name = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return name === 'localhost' || isLoopback(name)
}

/** One spelling an address: IPv4 in IPv6 as IPv4, IPv6 shortened. */
function canonical(address: string | undefined): string | undefined {
  if (!address || !ipaddr.isValid(address)) return undefined
  return ipaddr.process(address).toString()
}
