import { cleanLine, cutText } from '../../../platform/text.ts'
import { isObject } from '../fields.ts'
import { asLink } from '../words/as-link.ts'
import type { ApiDocument } from './parse-document.ts'

// Some list one for each region.
const SERVERS_MAX = 50
const VARIABLES_MAX = 10

/** The address of the API; `note` says what the caller has to fill in, or why there is none. */
export type ApiServer = { url?: string; note?: string }

/**
 * The first public address, with TLS if possible. Variables take their default values; relative
 * addresses belong to `readAt`, the address of the document.
 */
export function serverOf(document: ApiDocument, readAt: string | undefined): ApiServer {
  const said = document.swagger === undefined ? serversOf(document) : hostOf(document)
  const found = said.map((it) => ({ ...it, url: asLink(absolute(it.address, readAt)) }))
  const best =
    found.find(({ url }) => url?.startsWith('https:')) ?? found.find(({ url }) => url !== undefined)
  if (best?.url) return { url: best.url, ...(best.note ? { note: best.note } : {}) }
  const first = cutText(cleanLine(said[0]?.address ?? ''), 200)
  return first ? { note: `${first} (no public address)` } : {}
}

type Said = { address: string; note: string }

function serversOf({ servers }: ApiDocument): Said[] {
  if (!Array.isArray(servers)) return []
  return servers
    .slice(0, SERVERS_MAX)
    .filter(isObject)
    .filter((it): it is { url: string; variables?: unknown } => typeof it.url === 'string')
    .map(({ url, variables }) => resolved(url.slice(0, 2000), variables))
}

function resolved(template: string, variables: unknown): Said {
  const known = isObject(variables) ? variables : {}
  const used: string[] = []
  const address = template.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(known, name) ? known[name] : undefined
    const value = isObject(variable) ? variable.default : undefined
    // A default in brackets is a placeholder as well.
    if (typeof value !== 'string' || /[{}]/.test(value)) return whole
    used.push(`${cleanLine(name)}: ${cleanLine(value)}`)
    return value
  })
  const note = cutText(used.slice(0, VARIABLES_MAX).join(', '), 500)
  // Remaining brackets would be encoded and look like an address.
  return { address, note: /[{}]/.test(address) ? '' : note }
}

/** Swagger 2.0 has one host and a list of schemes. */
function hostOf({ host, basePath, schemes }: ApiDocument): Said[] {
  if (typeof host !== 'string' || host === '') return []
  const path = typeof basePath === 'string' ? basePath.replace(/^(?!\/)/, '/') : ''
  const named = Array.isArray(schemes)
    ? schemes.filter((it) => it === 'https' || it === 'http')
    : []
  const all = named.length > 0 ? named : ['https']
  return all.map((scheme) => ({ address: `${scheme}://${host}${path}`, note: '' }))
}

function absolute(address: string, readAt: string | undefined): string | undefined {
  if (/[{}]/.test(address)) return undefined
  if (/^https?:\/\//i.test(address)) return address
  if (address.startsWith('//')) return `https:${address}`
  return readAt === undefined ? undefined : URL.parse(address, readAt)?.href
}
