import type { TSchema } from '@sinclair/typebox'
import { PatternMeaning } from '../../platform/schema.ts'

/** Describes in words what a schema expects. */
export function expected(schema: TSchema): string {
  if (schema.anyOf) return schema.anyOf.map(expected).join(', or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  switch (schema.type) {
    case 'string':
      return textOf(schema)
    case 'integer':
      return `a whole number${range(schema)}`
    case 'number':
      return `a number${range(schema)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return schema.minItems ? `a list of at least ${schema.minItems}` : 'a list'
    case 'object':
      return 'a mapping'
    default:
      return 'nothing (leave it out)'
  }
}

const WEB_ADDRESS = 'a web address that starts with https:// or http://, other letters as %C3%BC'

function textOf(schema: TSchema & { [PatternMeaning]?: string }): string {
  const most = schema.maxLength ? ` of at most ${schema.maxLength} characters` : ''
  if (schema[PatternMeaning]) return `${schema[PatternMeaning]}${most}`
  if (schema.format === 'date') return 'a real day, such as 2026-01-31'
  if (schema.format === 'date-time') return 'a UTC time, such as 2026-01-31T12:00:00Z'
  if (schema.format === 'uri') return WEB_ADDRESS
  return `text${most}${schema.minLength ? ', not empty' : ''}`
}

function range({ minimum, maximum }: TSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}
