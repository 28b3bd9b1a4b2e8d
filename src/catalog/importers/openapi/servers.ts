import { cleanLine, cutText } from '../../../platform/text.ts'
import type { ApiDocument } from '../../facts/openapi/parse-document.ts'
import { isObject } from '../fields.ts'
import { isReserved, registeredDomain } from '../many-owners.ts'
import type { WitnessPath } from '../witness-path.ts'
import { asLink } from '../words/as-link.ts'

// Some list one for each region.
const SERVERS_MAX = 50
const VARIABLES_MAX = 10

/**
 * The address of the API. `note` says what the caller has to fill in, or why there is none; `all`
 * lists the addresses where it is open which of them to call.
 */
export type ApiServer = { url?: string; at?: readonly WitnessPath[]; note?: string; all?: string[] }

/**
 * The public address, with TLS if there is one. Variables take their default values; relative
 * addresses belong to `readAt`, the address of the document. Of several addresses the one that is
 * described as production; a document does not say which of the others is in use, and one for tests
 * or examples is not the address of the API.
 */
export function serverOf(document: ApiDocument, readAt: string | undefined): ApiServer {
  const servers = document.swagger === undefined ? serversOf(document) : hostOf(document)
  const addresses = servers.flatMap((it) => {
    const url = asLink(absolute(it.address, readAt))
    return url === undefined || isForTests(it, url) ? [] : [{ ...it, url }]
  })
  const secure = addresses.filter(({ url }) => url.startsWith('https:'))
  const usable = distinct(secure.length > 0 ? secure : addresses)
  const live = usable.filter(({ about }) => PRODUCTION.test(about))
  const [best, ...others] = usable.length > 1 && live.length > 0 ? live : usable
  if (best && others.length === 0) {
    return { url: best.url, at: best.at, ...(best.note ? { note: best.note } : {}) }
  }
  if (usable.length > 0) return { all: usable.map(({ url }) => url) }
  const open = servers.find(({ address }) => /[{}]/.test(address)) ?? servers[0]
  const first = cutText(cleanLine(open?.address ?? ''), 200)
  return first ? { note: `${first} (no public address)` } : {}
}

function distinct<T extends { url: string }>(list: readonly T[]): T[] {
  return [...new Map(list.map((it) => [it.url, it])).values()]
}

const PRODUCTION = /\b(production|prod|live)\b/i
const TESTS =
  /(^|[^a-z])(sandbox|staging|stage|stg|tests?|testing|dev|development|uat|qa|mock|virtserver|demo|examples?|samples?|preview|preprod|nonprod)([^a-z]|$)/i

/**
 * True if its own words say that it is for tests or examples; the registered domain says nothing.
 */
function isForTests({ about }: StatedServer, url: string): boolean {
  const { hostname, pathname } = new URL(url)
  if (isReserved(hostname)) return true
  const own = registeredDomain(hostname) ?? ''
  const rest = hostname.slice(0, Math.max(0, hostname.length - own.length))
  return [rest, pathname, about].some((text) => TESTS.test(text))
}

type StatedServer = { address: string; note: string; about: string; at: readonly WitnessPath[] }

function serversOf({ servers }: ApiDocument): StatedServer[] {
  if (!Array.isArray(servers)) return []
  return servers.slice(0, SERVERS_MAX).flatMap((it, i) => {
    if (!isObject(it) || typeof it.url !== 'string') return []
    const about = typeof it.description === 'string' ? it.description.slice(0, 500) : ''
    return [{ ...resolved(it.url.slice(0, 2000), it.variables), about, at: [`servers[${i}].url`] }]
  })
}

// Values that nobody means, also with brackets of their own.
const PLACEHOLDER = /[{}<>]|^(none|null|unknown|example|sample|string|changeme|todo|x+|your\b.*)$/i
// What each caller has another of. Where a list of choices is given, it is none of these.
const OWN =
  /(key|token|secret|user|account|tenant|customer|client|workspace|organi[sz]ation|company|subdomain|project|instance)/i

/** True if the variable is a part of the host's name, such as that of a tenant. */
function isLabel(template: string, whole: string, at: number, value: string): boolean {
  if (!/^[a-z0-9-]+$/i.test(value)) return false
  const isInHost = !/[/?#]/.test(template.slice(0, at).replace(/^([a-z]+|\{[^{}]*\}):\/\//i, ''))
  return isInHost && /^[^/?#]*\./.test(template.slice(at + whole.length))
}

function resolved(template: string, variables: unknown): Pick<StatedServer, 'address' | 'note'> {
  const definitions = isObject(variables) ? variables : {}
  const used: string[] = []
  const address = template.replace(/\{([^{}]*)\}/g, (whole, name: string, at: number) => {
    const variable = Object.hasOwn(definitions, name) ? definitions[name] : undefined
    const value = isObject(variable) ? variable.default : undefined
    if (typeof value !== 'string' || PLACEHOLDER.test(value)) return whole
    const isChosen = isObject(variable) && Array.isArray(variable.enum)
    if (!isChosen && (OWN.test(name) || isLabel(template, whole, at, value))) return whole
    used.push(`${cleanLine(name)}: ${cleanLine(value)}`)
    return value
  })
  const note = cutText(used.slice(0, VARIABLES_MAX).join(', '), 500)
  // Remaining brackets would be encoded and look like an address.
  return { address, note: /[{}]/.test(address) ? '' : note }
}

/** Swagger 2.0 has one host and a list of schemes. */
function hostOf({ host, basePath, schemes }: ApiDocument): StatedServer[] {
  if (typeof host !== 'string' || host === '') return []
  const path = typeof basePath === 'string' ? basePath.replace(/^(?!\/)/, '/') : ''
  const schemeList = Array.isArray(schemes)
    ? schemes.filter((it) => it === 'https' || it === 'http')
    : []
  const all = schemeList.length > 0 ? schemeList : ['https']
  const at = ['host', 'basePath', 'schemes']
  return all.map((scheme) => ({ address: `${scheme}://${host}${path}`, note: '', about: '', at }))
}

function absolute(address: string, readAt: string | undefined): string | undefined {
  if (/[{}]/.test(address)) return undefined
  if (/^https?:\/\//i.test(address)) return address
  if (address.startsWith('//')) return `https:${address}`
  return readAt === undefined ? undefined : URL.parse(address, readAt)?.href
}
