import { cleanLine, cutText } from '../../../platform/text.ts'
import type { ApiDocument } from '../../facts/openapi/parse-document.ts'
import { isObject } from '../fields.ts'

const SCHEMES_MAX = 50
const NOTES_MAX = 10

/** How callers authenticate, with notes for people. */
export type ApiAuth = { auth?: 'api-key' | 'oauth' | 'mixed' | 'none'; authNotes?: string }

const FLOWS: Record<string, string> = {
  authorizationCode: 'authorization code',
  accessCode: 'authorization code',
  clientCredentials: 'client credentials',
  application: 'client credentials',
  implicit: 'implicit',
  password: 'password',
  deviceAuthorization: 'device code',
}

/**
 * From the security schemes: keys, passwords and bearer tokens are `api-key`, OAuth 2.0 and OpenID
 * Connect are `oauth`. No schemes mean that nothing is known; an empty `security` means that the
 * API is open.
 */
export function authOf(document: ApiDocument): ApiAuth {
  const schemes = schemesOf(document).map(readScheme)
  const kinds = new Set(schemes.map(({ kind }) => kind).filter((it) => it !== undefined))
  const [kind] = kinds
  const isOpen = schemes.length === 0 && isEmptyList(document.security)
  const auth = kinds.size > 1 ? 'mixed' : (kind ?? (isOpen ? 'none' : undefined))
  const notes = [...new Set(schemes.map(({ note }) => note))]
  const more = notes.length > NOTES_MAX ? [`and ${notes.length - NOTES_MAX} more`] : []
  const text = [...notes.slice(0, NOTES_MAX), ...more].join('; ')
  return { ...(auth ? { auth } : {}), ...(text ? { authNotes: `${text}.` } : {}) }
}

function schemesOf({ components, securityDefinitions }: ApiDocument): Record<string, unknown>[] {
  const schemes = isObject(components) ? components.securitySchemes : securityDefinitions
  return isObject(schemes) ? Object.values(schemes).slice(0, SCHEMES_MAX).filter(isObject) : []
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

type Scheme = { kind?: 'api-key' | 'oauth'; note: string }

function readScheme(scheme: Record<string, unknown>): Scheme {
  switch (scheme.type) {
    case 'apiKey':
      if (/sigv4/i.test(word(scheme['x-amazon-apigateway-authtype']))) return SIGNED
      return { kind: 'api-key', note: `API key in the ${placeOf(scheme.in)} ${word(scheme.name)}` }
    case 'basic':
      return { kind: 'api-key', note: 'HTTP basic' }
    case 'http':
      return httpScheme(scheme)
    case 'oauth2':
      return { kind: 'oauth', note: `OAuth 2.0${flowsOf(scheme)}` }
    case 'openIdConnect':
      return { kind: 'oauth', note: 'OpenID Connect' }
    case 'mutualTLS':
      return { note: 'a client certificate' }
    default:
      return { note: 'a scheme that is described elsewhere' }
  }
}

const SIGNED: Scheme = { kind: 'api-key', note: 'AWS Signature Version 4' }

function httpScheme({ scheme, bearerFormat }: Record<string, unknown>): Scheme {
  const name = word(scheme).toLowerCase()
  if (name === 'oauth') return { kind: 'oauth', note: 'OAuth' }
  const format = typeof bearerFormat === 'string' && name === 'bearer' ? word(bearerFormat) : ''
  return { kind: 'api-key', note: `HTTP ${name}${format ? ` (${format})` : ''}` }
}

function placeOf(value: unknown): string {
  return value === 'query' || value === 'cookie' ? value : 'header'
}

function flowsOf({ flows, flow }: Record<string, unknown>): string {
  const names = isObject(flows) ? Object.keys(flows) : [flow]
  const flowNames = names
    .map((it) => (typeof it === 'string' && Object.hasOwn(FLOWS, it) ? FLOWS[it] : undefined))
    .filter((it) => it !== undefined)
  return flowNames.length > 0 ? ` (${[...new Set(flowNames)].join(', ')})` : ''
}

function word(value: unknown): string {
  return typeof value === 'string' ? cleanLine(cutText(value, 100)) : ''
}
