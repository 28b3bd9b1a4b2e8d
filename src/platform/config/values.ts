import ipaddr from 'ipaddr.js'

/** How a text becomes a value; `undefined` if it is not what `must` says. */
export type Meaning<T> = { must: string; read(text: string): T | undefined; secret?: true }

const TEXT: Meaning<string> = {
  must: 'a text without spaces',
  read: (text) => (/^\S+$/.test(text) ? text : undefined),
}

/** Any text, as it is. */
export const ANY_TEXT: Meaning<string> = { must: 'a text', read: (text) => text }

/** As `TEXT`, but never repeated in an error. */
export const SECRET: Meaning<string> = { ...TEXT, secret: true }

export const HOST: Meaning<string> = {
  must: 'a host name or an IP address, like 127.0.0.1 or ::1',
  read(text) {
    const url = /^[^\s\p{Cc},]+$/u.test(text) ? URL.parse(originOf(text)) : null
    if (!url || url.host === '' || isNowhere(url.hostname)) return undefined
    return url.href === `${url.protocol}//${url.host}/` ? text : undefined
  },
}

/** Not an address of any machine: a number such as 5 stands for 0.0.0.5. */
function isNowhere(hostname: string): boolean {
  return /^0\.[\d.]+$/.test(hostname) && hostname !== '0.0.0.0'
}

/** `http://127.0.0.1`, `http://[::1]`; the zone of an address means nothing on other machines. */
export function originOf(host: string): string {
  return `http://${host.includes(':') ? `[${host.replace(/%[\w.-]+$/, '')}]` : host}`
}

export const PORT: Meaning<number> = {
  must: 'a port number from 0 to 65535',
  read: (text) => wholeNumber(text, 0, 65_535),
}

const SWITCH = new Map([
  ['on', true],
  ['true', true],
  ['off', false],
  ['false', false],
])

export const OFF_OR_ON: Meaning<boolean> = {
  must: 'on or off',
  read: (text) => SWITCH.get(text),
}

export const WEB_ORIGIN: Meaning<string> = {
  must: 'an http or https address without a path, like https://beckon.example.com',
  read(text) {
    const url = URL.parse(text)
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
    return url.pathname === '/' && !url.search && !url.hash ? url.origin : undefined
  },
}

export const WEB_ORIGINS: Meaning<readonly string[]> = {
  must: 'http or https addresses without a path, separated by commas, like https://app.example.com',
  read(text) {
    const origins = listed(text).map(WEB_ORIGIN.read)
    return origins.every((origin) => origin !== undefined) ? origins : undefined
  },
}

export const WEB_ADDRESS: Meaning<string> = {
  must: 'an http or https address, like https://api.example.com/v1',
  read(text) {
    const url = URL.parse(text)
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
    return url.search || url.hash ? undefined : url.href.replace(/\/+$/, '')
  },
}

// As in public certificates: letters, digits and hyphens, at least two labels, no wildcard.
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/
const DOMAINS_MAX = 10

export const DOMAINS: Meaning<readonly string[]> = {
  must: 'a name that leads to this server, like beckon.example.com; several are separated by commas',
  read(text) {
    const names = listed(text.toLowerCase()).map(asciiName)
    const isFit = names.length > 0 && names.length <= DOMAINS_MAX && names.every(isDomain)
    return isFit ? [...new Set(names)] : undefined
  },
}

/** The name as DNS writes it (`bücher` is `xn--bcher-kva`); empty for anything but a name. */
function asciiName(text: string): string {
  return /[:/?#@\\]/.test(text) ? '' : (URL.parse(`http://${text}`)?.hostname ?? '')
}

function isDomain(name: string): boolean {
  return DOMAIN.test(name)
}

const ACME_STAGING = 'https://acme-staging-v02.api.letsencrypt.org/directory'

export const ACME_DIRECTORY: Meaning<string> = {
  must: 'staging, or the https address of an ACME directory',
  read(text) {
    if (text === 'staging') return ACME_STAGING
    const url = URL.parse(text)
    return url?.protocol === 'https:' && !url.username && !url.password ? url.href : undefined
  },
}

export const FILE_PATH: Meaning<string> = {
  must: 'the path of a file',
  read: (text) => (/^[^\p{Cc}]+$/u.test(text) ? text : undefined),
}

export const POSTGRES_URL: Meaning<string> = {
  must: 'the address of a PostgreSQL database, like postgres://user:password@db.example.com:5432/beckon (one host; # % / ? in a password as %23 %25 %2F %3F; sslmode, if any, one that PostgreSQL has)',
  secret: true,
  read(text) {
    const url = /\s/.test(text) ? null : URL.parse(text)
    if (!url || !/^postgres(ql)?:$/.test(url.protocol)) return undefined
    if (url.hostname === '' || url.hostname.includes(',')) return undefined
    const account = [url.username, url.password].map(decoded)
    const name = decoded(url.pathname.slice(1))
    const modes = url.searchParams.getAll('sslmode')
    const isFit = account.every((part) => part !== undefined) && modes.every(isSslMode)
    return isFit && name && !url.pathname.slice(1).includes('/') ? text : undefined
  },
}

function isSslMode(text: string): boolean {
  return /^(disable|allow|prefer|require|verify-(ca|full))$/.test(text)
}

/** Percent-decoded; undefined if it is malformed or could end a line. */
export function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text)
    return /\p{Cc}/u.test(plain) ? undefined : plain
  } catch {
    return undefined
  }
}

export const MAIL_ADDRESS: Meaning<string> = {
  must: 'an e-mail address, like beckon@example.com',
  read: (text) => (/^[\w.+-]{1,64}@[a-z0-9.-]{1,250}$/i.test(text) ? text : undefined),
}

export const PRIVATE_HOSTS: Meaning<readonly string[]> = {
  must: 'host names, addresses or networks like 10.0.0.0/8, separated by commas',
  read(text) {
    const hosts = listed(text.toLowerCase())
    return hosts.every(isHost) ? hosts : undefined
  },
}

// A wider network would hold public addresses of anybody; fc00::/7 is the widest private one.
const WIDEST = { ipv4: 8, ipv6: 7 } as const

export const PROXIES: Meaning<readonly string[]> = {
  must: 'the addresses of your proxies, like 192.168.1.10 or 10.0.0.0/8 (separated by commas, no network wider than /8, or /7 of IPv6), loopback for a proxy on this machine, private for one in a private network, or off',
  read(text) {
    if (OFF_OR_ON.read(text) === false) return []
    const proxies = listed(text.toLowerCase())
    return proxies.length > 0 && proxies.every(isProxy) ? proxies : undefined
  },
}

function isProxy(text: string): boolean {
  if (text === 'loopback' || text === 'private') return true
  if (!ipaddr.isValidCIDR(text)) {
    return ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text)
  }
  const [network, bits] = ipaddr.parseCIDR(text)
  // A caller with IPv4 in IPv6 is compared as IPv4, so such a network would match nobody.
  return network.range() !== 'ipv4Mapped' && bits >= WIDEST[network.kind()]
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

export function one<const T extends string>(...values: T[]): Meaning<T> {
  return {
    must: values.join(' or '),
    read: (text) => values.find((value) => value === text),
  }
}

export function atLeast(least: number): Meaning<number> {
  return {
    must: `a whole number of at least ${least}`,
    read: (text) => wholeNumber(text, least, Number.MAX_SAFE_INTEGER),
  }
}

export function between(least: number, most: number): Meaning<number> {
  return {
    must: `a whole number from ${least} to ${most}`,
    read: (text) => wholeNumber(text, least, most),
  }
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined
  const number = Number(text)
  return number >= least && number <= most ? number : undefined
}

const HOST_NAME = /^(?!.*\.\.)[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9])?$/

function isHost(text: string): boolean {
  if (ipaddr.isValidCIDR(text) || ipaddr.IPv6.isValid(text)) return true
  // A text of digits and dots must be an address.
  return /^[\d.]+$/.test(text) ? ipaddr.IPv4.isValidFourPartDecimal(text) : HOST_NAME.test(text)
}
