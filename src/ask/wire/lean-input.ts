import type { TObject, TSchema } from '@sinclair/typebox'

/** A tool as it is listed where each word of the list is paid for in every turn of a model. */
export type LeanListing = {
  /** When to use it, and that each result says the next step. */
  description: string
  inputSchema: object
}

// Keywords that no call needs; lengths and choices stay, because a call can break them unknowingly.
const LEFT_OUT = new Set(['additionalProperties', 'default', 'description', 'format', 'minLength'])

/**
 * The fields of `full` that `words` names, with these words in place of its own; an empty text says
 * nothing, where the name says enough. Fields within a field all stay, without words. Calls are
 * checked by `full`, so a field that is not listed works as ever.
 */
export function leanInput<Full extends TObject>(
  full: Full,
  words: { readonly [Field in keyof Full['properties']]?: string },
): object {
  const listed = Object.entries(words as Record<string, string>).map(([field, description]) => {
    const { [field]: schema } = full.properties
    if (!schema) throw new Error(`there is no field ${field}`)
    return [field, { ...stripped(schema), ...(description ? { description } : {}) }]
  })
  return { type: 'object', properties: Object.fromEntries(listed), ...requiredOf(full) }
}

function stripped(schema: TSchema): object {
  const entries = Object.entries(schema).filter(([key]) => !LEFT_OUT.has(key))
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'items') return [key, stripped(value)]
      if (key !== 'properties') return [key, value]
      const fields = Object.entries(value as Record<string, TSchema>)
      return [key, Object.fromEntries(fields.map(([name, field]) => [name, stripped(field)]))]
    }),
  )
}

function requiredOf({ required }: TObject): { required?: string[] } {
  return required === undefined ? {} : { required }
}
