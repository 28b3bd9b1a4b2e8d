import { PLACES } from '../tool-fields.ts'
import { oneWord, openWord } from '../words.ts'
import { defineField } from './field.ts'

export const WHERE = defineField({
  written: { where: oneWord('Where it runs.', [...PLACES, 'unknown']) },
  served: { where: openWord('Where it runs.', PLACES) },
  serve: (written) => written,
  page: {
    section: 'facts',
    place: 20,
    label: 'Runs',
    value: ({ where }, { wordFor }) => wordFor(where),
  },
  row: {
    place: 10,
    text: ({ where }, { wordFor }) => (where === 'unknown' ? undefined : wordFor(where)),
  },
  compare: {
    place: 110,
    label: 'Runs',
    value: ({ where }, { wordFor }) => where !== 'unknown' && wordFor(where),
  },
  markdown: {
    place: 40,
    label: 'Runs',
    text: ({ where }, { text }) => (where === 'unknown' ? '' : text(where)),
  },
  // Part of the line "Is".
  slim: null,
  mcp: [{ place: 100, name: 'where', quoted: false, value: ({ where }, { word }) => word(where) }],
  imported: true,
  fromCatalogs: true,
})
