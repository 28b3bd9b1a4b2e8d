import type { TSchema } from '@sinclair/typebox'

const WHOLE = /^-?\d{1,15}$/
const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/

/**
 * `value` as `schema` describes it, where a framework wrote the same in another form: `null` for an
 * optional field is left out, `"5000"` and `"false"` become a number and a boolean, a list or an
 * object written as JSON text is read, and `{ label }` in a list of texts becomes its label. What is
 * ambiguous stays as it is, for the check that follows.
 */
export function readToolArguments(schema: TSchema, value: unknown): unknown {
  if (schema.type === 'object' && schema.properties) return readObject(schema, value)
  if (schema.type === 'array') return readList(schema, value)
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (schema.type === 'integer' && WHOLE.test(text)) return Number(text)
  if (schema.type === 'number' && DECIMAL.test(text)) return Number(text)
  if (schema.type === 'boolean' && /^(true|false)$/i.test(text)) {
    return text.toLowerCase() === 'true'
  }
  return value
}

function readObject(schema: TSchema, value: unknown): unknown {
  const read = fromJson(value, isObject)
  if (!isObject(read)) return value
  const properties = schema.properties as Record<string, TSchema>
  const required: readonly string[] = schema.required ?? []
  const fields = Object.entries(read).flatMap(([name, field]) => {
    const fieldSchema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!fieldSchema) return [[name, field] as const]
    if (field === null && !required.includes(name) && !takesNull(fieldSchema)) return []
    return [[name, readToolArguments(fieldSchema, field)] as const]
  })
  return Object.fromEntries(fields)
}

function readList(schema: TSchema, value: unknown): unknown {
  const read = fromJson(value, Array.isArray)
  if (!Array.isArray(read)) return value
  const items = schema.items as TSchema
  return read.map((item) =>
    items.type === 'string' ? (labelOf(item) ?? item) : readToolArguments(items, item),
  )
}

/** The label of an object that says nothing else, so that nothing of it is lost. */
function labelOf(item: unknown): string | undefined {
  if (!isObject(item)) return undefined
  const { label, ...others } = item
  const isAll = Object.values(others).every((other) => other === null)
  return isAll && typeof label === 'string' ? label : undefined
}

function takesNull({ anyOf, type }: TSchema): boolean {
  return type === 'null' || type === undefined || (anyOf ?? []).some(takesNull)
}

function fromJson(value: unknown, fits: (read: unknown) => boolean): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    const read: unknown = JSON.parse(value)
    return fits(read) ? read : value
  } catch {
    return value
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
