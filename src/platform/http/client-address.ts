import ipaddr from 'ipaddr.js'

/**
 * Who sent the request: the peer of the connection or, behind a trusted proxy, the address that the
 * proxy saw. A proxy appends to `X-Forwarded-For`, so only the last entry comes from it.
 */
export function clientAddress(
  request: Request,
  peer: string | undefined,
  trustProxy: boolean,
): string {
  const forwarded = trustProxy ? request.headers.get('x-forwarded-for') : null
  const last = forwarded?.split(',').at(-1)?.trim()
  return canonical(last) ?? canonical(peer) ?? 'unknown'
}

// Headers in which proxies name the caller; without them a proxy on this machine looks like the
// caller itself.
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Whether the request began on this machine. Its peer must be loopback, it must be sent to a
 * loopback name (a tunnel and a page that rebinds its name have another), and no proxy may have
 * passed it on, except a trusted one that saw a loopback address.
 */
export function fromThisMachine(
  request: Request,
  peer: string | undefined,
  trustProxy: boolean,
): boolean {
  if (!isLoopback(canonical(peer)) || !isLoopbackName(request.url)) return false
  if (trustProxy && request.headers.has('x-forwarded-for')) {
    return isLoopback(clientAddress(request, peer, true))
  }
  return !FORWARDED.some((name) => request.headers.has(name))
}

function isLoopback(address: string | undefined): boolean {
  if (!address || !ipaddr.isValid(address)) return false
  return ipaddr.process(address).range() === 'loopback'
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
