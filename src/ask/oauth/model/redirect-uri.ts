import { isLoopbackName } from '../../../platform/config/origins.ts'

/** As a program may say: a URL is shown and sent in a header. */
const URI_MAX = 2_000

// The hosts by which a program names its own machine (RFC 8252, 7.3).

// Schemes of editors and agents that registered them with the system under a plain word. Any other
// scheme has to be a name that its maker owns, written backwards (RFC 8252, 7.1).
const APP_SCHEMES = new Set(
  'cursor vscode vscode-insiders vscodium windsurf zed kiro trae warp raycast goose claude codex'
    .split(' ')
    .map((name) => `${name}:`),
)

// No control character, space or quote: the address goes into a header and a page's policy.
const PLAIN = /^[\x21\x23-\x26\x28-\x2b\x2d-\x3a\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/

/** Why a client may not be sent back to `uri`; undefined if it may. */
export function wrongRedirectUri(uri: string): string | undefined {
  if (uri.length > URI_MAX) return `is longer than ${URI_MAX} characters`
  const url = URL.parse(uri)
  if (!url || !PLAIN.test(uri)) return 'is not an absolute URI'
  if (uri.includes('#')) return 'must have no fragment'
  if (url.username || url.password) return 'must carry no user name or password'
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:') {
    return isLoopback(uri) ? undefined : 'must be https, or http on localhost, 127.0.0.1 or [::1]'
  }
  if (APP_SCHEMES.has(url.protocol)) return undefined
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)
    ? undefined
    : 'must be https, or a scheme that is a domain name written backwards, like com.example.app'
}

/**
 * Returns true if `uri` is one of `registered`: equal character by character, except for the port
 * of an http address on this machine, which a program learns when it starts (RFC 8252, 7.3; RFC
 * 9700, 4.1.3).
 */
export function isRegistered(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true
  const bare = withoutPort(uri)
  return bare !== undefined && registered.some((uri) => withoutPort(uri) === bare)
}

/**
 * Returns true if an answer sent to this address stays on the machine whose browser shows the page.
 */
export function isLoopback(uri: string): boolean {
  const url = URL.parse(uri)
  return url?.protocol === 'http:' && isLoopbackName(hostAsWritten(uri))
}

/** Returns true if only the owner of a domain receives an answer sent to this address. */
export function isOfDomain(uri: string): boolean {
  return uri.startsWith('https:')
}

/** Where an answer goes, for people: a host, or the scheme of an app. */
export function placeOf(uri: string): string {
  const url = new URL(uri)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb ? url.host : url.protocol.slice(0, -1)
}

/** The address as it is compared between sign-ins: that of a program on this machine without its port. */
export function withoutPort(uri: string): string | undefined {
  if (!isLoopback(uri)) return undefined
  return uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]*))(?::\d*)?/, '$1')
}

// `new URL` would read 127.1 or 2130706433 as a loopback address, too.
function hostAsWritten(uri: string): string {
  return /^http:\/\/(\[[^\]]*\]|[^/:?]*)/.exec(uri)?.[1] ?? ''
}
