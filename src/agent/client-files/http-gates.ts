import { gateUrl } from '../../ask/wire/gate-url.ts'
import { BrokenFile } from './broken-file.ts'
import { dataAt } from './jailed-servers.ts'
import { type JsonPath, nodeAt, readTree } from './json-document.ts'
import { removeJson, setJson } from './json-edit.ts'

/** How clients get to gates over HTTP: the address of Beckon's server, and the token. */
export type GatesAt = { base: string; token: string }

/** The entry of a server over HTTP before its gate: the texts of its address and of its headers, if it had some. */
export type OpenEntry = { path: JsonPath; url: string; headers: string | null }

/** A server over HTTP without a gate: what the gate keeps of its entry. */
export type HttpServer = { url: string; headerName?: string; secret?: string }

type Headers = Record<string, string>
export type HttpAddress = { url: string; headers: Headers }

// As `holding` writes it.
const HOLD = 'X-Beckon-Hold'
const URL_KEYS = ['url', 'httpUrl', 'serverUrl'] as const
// Codex spells it otherwise than the clients with JSON.
const HEADER_KEYS = ['headers', 'http_headers'] as const

/** The name of the member with the address; undefined for a server that is started. */
function urlKeyOf(entry: unknown): string | undefined {
  const fields = fieldsOf(entry)
  if (fields.command !== undefined) return undefined
  return URL_KEYS.find((key) => typeof fields[key] === 'string')
}

/** The address in an entry, and its fixed headers. */
export function addressIn(entry: unknown): HttpAddress | undefined {
  const key = urlKeyOf(entry)
  if (key === undefined) return undefined
  const fields = fieldsOf(entry)
  const headers = fieldsOf(HEADER_KEYS.map((one) => fields[one]).find((one) => one !== undefined))
  return { url: String(fields[key]), headers: headers as Headers }
}

/** True for the address of a gate, with the header that setup writes beside it. */
export function isGateAddress({ url, headers }: HttpAddress): boolean {
  return /\/gate\/[^/?#]+$/.test(url) && Object.keys(headers).includes(HOLD)
}

/** For how many seconds the gate of an entry holds a call. */
export function heldBy(entry: unknown): number {
  return Number(addressIn(entry)?.headers[HOLD])
}

// What only the client can put in place of it: ${TOKEN}, $TOKEN, {env:TOKEN}.
const PLACEHOLDER = /\$\{|\$[A-Za-z_]|\{(env|file|input):/
const SECRET = /auth|key|token|secret|cookie|session|password/i

/** What a gate has to keep of an entry, or why it cannot stand before that server. */
export function readHttpServer(entry: unknown): HttpServer | string {
  const { type, bearer_token_env_var, env_http_headers } = fieldsOf(entry)
  const { url, headers } = addressIn(entry) ?? { url: '', headers: {} }
  if (type === 'sse') return 'it speaks SSE, and a gate over HTTP speaks Streamable HTTP alone'
  if (bearer_token_env_var !== undefined || env_http_headers !== undefined)
    return 'its secret is in a variable, which its client alone can read'
  const headerName = secretHeader(headers)
  const secret = headerName === undefined ? undefined : headers[headerName]
  if (PLACEHOLDER.test(url) || PLACEHOLDER.test(secret ?? ''))
    return 'its address or its secret is in a variable, which its client alone can read'
  return { url, ...(headerName === undefined || !secret ? {} : { headerName, secret }) }
}

/** The token of the agent takes the place of Authorization; other headers pass. */
function secretHeader(headers: Headers): string | undefined {
  const names = Object.keys(headers)
  return (
    names.find((name) => name.toLowerCase() === 'authorization') ??
    names.find((name) => SECRET.test(name))
  )
}

/** The headers of an entry behind its gate. */
export function gatedHeaders(entry: unknown, { token }: Pick<GatesAt, 'token'>, holdS: number) {
  const { headers = {} } = addressIn(entry) ?? {}
  const secret = secretHeader(headers)
  const others = Object.entries(headers).filter(([name]) => name !== secret)
  return {
    Authorization: `Bearer ${token}`,
    ...Object.fromEntries(others),
    [HOLD]: String(holdS),
  }
}

/** The texts of an entry that its gate changes. */
export function openEntryIn(text: string, path: JsonPath): OpenEntry | undefined {
  const key = urlKeyOf(dataAt(text, path))
  const url = key === undefined ? undefined : rawAt(text, [...path, key])
  if (url === undefined) return undefined
  return { path, url, headers: rawAt(text, [...path, 'headers']) ?? null }
}

/** The text with the entry at `path` behind its gate. */
export function putHttpGate(
  before: string,
  path: JsonPath,
  at: GatesAt & { name: string; holdS: number },
): string {
  const entry = dataAt(before, path)
  const key = urlKeyOf(entry) ?? 'url'
  const text = setJson(before, [...path, key], gateUrl(at.base, at.name))
  return setJson(text, [...path, 'headers'], gatedHeaders(entry, at, at.holdS))
}

/** The text with the entry as it was. Throws `BrokenFile` if that is not known. */
export function takeHttpGate(before: string, path: JsonPath, all: readonly OpenEntry[]): string {
  const { url, headers } = openEntryOf(path, all)
  const key = urlKeyOf(dataAt(before, path)) ?? 'url'
  const at = [...path, 'headers']
  const text = headers === null ? removeJson(before, at) : withRaw(before, at, headers)
  return withRaw(text, [...path, key], url)
}

/** What is known of the entry at `path`. Throws `BrokenFile`. */
export function openEntryOf(path: JsonPath, all: readonly OpenEntry[]): OpenEntry {
  const entry = all.find((one) => Bun.deepEquals(one.path, path))
  if (entry) return entry
  throw new BrokenFile(
    `what the server "${path.at(-1)}" was before its gate is not known on this machine; write its address into the entry by hand`,
  )
}

function rawAt(text: string, path: JsonPath): string | undefined {
  const node = nodeAt(text, readTree(text), path)
  return node && text.slice(node.offset, node.offset + node.length)
}

function withRaw(text: string, path: JsonPath, raw: string): string {
  const node = nodeAt(text, readTree(text), path)
  return node ? text.slice(0, node.offset) + raw + text.slice(node.offset + node.length) : text
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
}
