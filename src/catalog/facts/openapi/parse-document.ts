/**
 * A document with `openapi: 3.x` or `swagger: 2.0`. References are not resolved, so nothing can
 * form a circle.
 */
export type ApiDocument = Record<string, unknown>

export type ParsedDocument = { document: ApiDocument } | { why: string }

const MIB = 1024 * 1024
/** JSON is parsed quickly. The two largest known documents have 20 and 47 MB. */
const JSON_BYTES_MAX = 32 * MIB
/** YAML takes ten times as long, and blocks everything else. */
const YAML_BYTES_MAX = 8 * MIB
export const DOCUMENT_BYTES_MAX = JSON_BYTES_MAX

/**
 * Parses an OpenAPI 3 or Swagger 2.0 document in JSON or YAML; returns the reason if it is not one.
 * YAML aliases are not expanded, and the parser refuses texts that would grow. Never throws.
 */
export function parseDocument(bytes: Uint8Array): ParsedDocument {
  const text = textOf(bytes)
  if (text === undefined) return { why: 'it is not UTF-8 text' }
  const isJson = /^\s*\{/.test(text)
  const most = isJson ? JSON_BYTES_MAX : YAML_BYTES_MAX
  if (bytes.length > most) return { why: `it has more than ${most / MIB} MiB` }
  const value = isJson ? (jsonIn(text) ?? yamlIn(text)) : yamlIn(text)
  if (value === undefined) return { why: 'it can be read neither as JSON nor as YAML' }
  if (!isObject(value) || !isApi(value))
    return { why: 'it is not an OpenAPI 3 or Swagger 2.0 document' }
  return { document: value }
}

function isApi({ openapi, swagger }: Record<string, unknown>): boolean {
  if (typeof openapi === 'string') return /^3\.\d/.test(openapi)
  return swagger === '2.0' || swagger === 2
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function yamlIn(text: string): unknown {
  try {
    return Bun.YAML.parse(text)
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
