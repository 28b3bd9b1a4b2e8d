import { isObject } from '../fields.ts'

/** Described by `openapi: 3.x` or `swagger: 2.0`; nothing in it is resolved, so nothing in it can turn in circles. */
export type ApiDocument = Record<string, unknown>

export type ParsedDocument = { document: ApiDocument } | { why: string }

const MIB = 1024 * 1024
/** JSON is read about as fast as it is copied. The two largest known ones have 20 and 47 MB. */
const JSON_BYTES_MAX = 32 * MIB
/** YAML takes ten times as long, and holds up everything else meanwhile. */
const YAML_BYTES_MAX = 8 * MIB
export const DOCUMENT_BYTES_MAX = JSON_BYTES_MAX

/**
 * One OpenAPI 3 or Swagger 2.0 document in JSON or YAML, or why it is none. Aliases of YAML stay
 * references, and texts that make much of little are refused by the parser. Never throws.
 */
export function parseDocument(bytes: Uint8Array): ParsedDocument {
  const text = textOf(bytes)
  if (text === undefined) return { why: 'it is no text in UTF-8' }
  const isJson = /^\s*\{/.test(text)
  const most = isJson ? JSON_BYTES_MAX : YAML_BYTES_MAX
  if (bytes.length > most) return { why: `it has more than ${most / MIB} MiB` }
  const value = isJson ? (jsonIn(text) ?? yamlIn(text)) : yamlIn(text)
  if (value === undefined) return { why: 'it can be read neither as JSON nor as YAML' }
  if (!isObject(value) || !isApi(value))
    return { why: 'it is no OpenAPI 3 or Swagger 2.0 document' }
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
