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

/** One spelling an address: IPv4 in IPv6 as IPv4, IPv6 shortened. */
function canonical(address: string | undefined): string | undefined {
  if (!address || !ipaddr.isValid(address)) return undefined
  return ipaddr.process(address).toString()
}
