import ipaddr from 'ipaddr.js'

/**
 * Who sent the request: the peer of the connection or, behind a trusted proxy, what that proxy
 * saw. A proxy appends, so only the last entry of `X-Forwarded-For` is its own word.
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

// What proxies say of whom they ask for; without them a proxy on this machine looks like itself.
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Whether the request began on this machine: its peer is loopback, it was sent to a loopback name
 * (a tunnel and a page that rebinds its name have another), and no proxy passed it on, or one that
 * is trusted saw a loopback address.
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
