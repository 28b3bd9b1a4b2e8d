import { type TSchema, Type } from '@sinclair/typebox'
import type { PageSize } from '../paging.ts'

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

/** The fields of a query that choose a page of a list. */
export function pageFields({ usual, most }: PageSize) {
  return {
    cursor: Type.Optional(
      Type.String({ description: 'The `next` of the page before; opaque.', maxLength: 200 }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: most,
        default: usual,
        description:
          'Rows at most; there are fewer, and a `next`, where the answer would be over 1 MB.',
      }),
    ),
  }
}
