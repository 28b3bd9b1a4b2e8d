import { type Refusal, RPC, refusal } from './errors.ts'
import { type Fields, isFields, metaOf, type RpcRequest } from './message.ts'

/** The versions of the era without a handshake; the SDK handles older ones. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28']

/** The fields with which a request of 2026-07-28 describes itself. */
type ModernMeta = { version: string; clientInfo: Fields; capabilities: Fields }

export type Era = { kind: 'old' } | { kind: 'modern'; meta: ModernMeta } | Refusal

const PREFIX = 'io.modelcontextprotocol/'
export const META = {
  version: `${PREFIX}protocolVersion`,
  capabilities: `${PREFIX}clientCapabilities`,
  clientInfo: `${PREFIX}clientInfo`,
  serverInfo: `${PREFIX}serverInfo`,
} as const

const DATE = /^\d{4}-\d\d-\d\d$/
const LAST_OLD = '2025-11-25'
const [FIRST_MODERN = ''] = MODERN_VERSIONS

// The parameter that a method's `Mcp-Name` repeats.
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/**
 * Determines the era of a request: its body decides, and its headers must agree (MCP 2026-07-28,
 * transports).
 */
export function eraOf(headers: Headers, request: RpcRequest): Era {
  const meta = metaOf(request)
  const version = meta[META.version]
  const versionHeader = headers.get('mcp-protocol-version')?.trim()
  if (version === undefined) return withoutVersion(versionHeader)

  const capabilities = meta[META.capabilities]
  if (typeof version !== 'string') return missing([META.version])
  if (!isFields(capabilities)) return missing([META.capabilities])

  const mismatch = headerMismatch(headers, request, version, versionHeader)
  if (mismatch) return refusal(400, RPC.headerMismatch, mismatch)
  if (!MODERN_VERSIONS.includes(version)) return unsupported(version)
  const clientInfo = meta[META.clientInfo]
  return {
    kind: 'modern',
    meta: { version, capabilities, clientInfo: isFields(clientInfo) ? clientInfo : {} },
  }
}

function withoutVersion(versionHeader: string | undefined): Era {
  if (versionHeader === undefined) return { kind: 'old' }
  if (!DATE.test(versionHeader)) return unsupported(versionHeader)
  if (versionHeader <= LAST_OLD) return { kind: 'old' }
  if (versionHeader >= FIRST_MODERN) return missing([META.version, META.capabilities])
  return unsupported(versionHeader)
}

function headerMismatch(
  headers: Headers,
  { method, params }: RpcRequest,
  version: string,
  versionHeader: string | undefined,
): string | undefined {
  const nameKey = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined
  const name = nameKey === undefined ? undefined : params[nameKey]
  const pairs: [header: string, given: string | undefined, wanted: string][] = [
    ['MCP-Protocol-Version', versionHeader, version],
    ['Mcp-Method', headers.get('mcp-method')?.trim(), method],
  ]
  if (typeof name === 'string') pairs.push(['Mcp-Name', decoded(headers.get('mcp-name')), name])
  for (const [header, value, expected] of pairs) {
    if (value === undefined) return `The header ${header} is required and must repeat the body.`
    if (value !== expected) return `The header ${header} does not say the same as the body.`
  }
  return undefined
}

const BASE64 = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/

/** A header value that is not ASCII is sent as `=?base64?…?=`. */
function decoded(value: string | null): string | undefined {
  const text = value?.trim()
  const encoded = text === undefined ? undefined : BASE64.exec(text)?.[1]
  return encoded === undefined ? text : Buffer.from(encoded, 'base64').toString('utf8')
}

function missing(keys: string[]): Refusal {
  return refusal(400, RPC.invalidParams, `params._meta must have ${keys.join(' and ')}.`, {
    missing: keys,
  })
}

function unsupported(requested: string): Refusal {
  return refusal(
    400,
    RPC.unsupportedVersion,
    'This protocol version is not supported here without a handshake; see data.supported, or open with initialize.',
    { supported: MODERN_VERSIONS, requested },
  )
}
