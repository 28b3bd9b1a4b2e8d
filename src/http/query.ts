import type { TSchema } from '@sinclair/typebox'

const WHOLE = /^-?\d{1,15}$/

/** A query string as the object its schema describes: whole numbers become numbers. */
export function readQuery(url: string, schema: TSchema): Record<string, unknown> {
  const mark = url.indexOf('?')
  if (mark < 0) return {}
  const fields: Record<string, TSchema> = schema.properties ?? {}
  const pairs = [...new URLSearchParams(url.slice(mark))].map(([name, text]) => {
    const number = fields[name]?.type === 'integer' && WHOLE.test(text)
    return [name, number ? Number(text) : text] as const
  })
  return Object.fromEntries(pairs)
}
