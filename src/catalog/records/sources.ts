import { Type } from '@sinclair/typebox'
import { closed, day, link, text, texts } from './words.ts'

/** Where a file has its facts from, and which of them an import wrote. */
export const Sources = Type.Optional(
  Type.Array(
    closed({
      url: link('Where it was read.'),
      read: day('Day on which it was read.'),
      facts: texts('Fields that it shows.', 64),
      credit: Type.Optional(text('Credit line that its licence asks for.', 500)),
      imported: Type.Optional(
        Type.Record(Type.String({ maxLength: 64 }), Type.String({ pattern: '^[0-9a-f]{8}$' }), {
          description:
            'Written by imports: a field whose value still has this mark may be renewed.',
        }),
      ),
    }),
  ),
)
