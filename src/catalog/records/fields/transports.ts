import { Type } from '@sinclair/typebox'
import { TRANSPORTS } from '../tool-fields.ts'
import { oneWord, openWord } from '../words.ts'
import { defineField } from './field.ts'

export const TRANSPORT_LIST = defineField({
  written: {
    transports: Type.Optional(
      Type.Array(oneWord('Transport.', [...TRANSPORTS, 'sse', 'websocket', 'grpc'])),
    ),
  },
  served: {
    transports: Type.Array(openWord('Transport.', TRANSPORTS), {
      description: 'How it is reached; empty for libraries.',
    }),
  },
  serve: ({ transports = [] }) => ({ transports }),
  page: {
    section: 'facts',
    place: 30,
    label: 'Reached by',
    value: ({ transports }, { wordFor }) => transports.map(wordFor).join(', '),
  },
  row: {
    place: 20,
    text: ({ transports }, { wordFor }) => transports.map(wordFor).join(', ') || undefined,
  },
  compare: {
    place: 120,
    label: 'Reached by',
    value: ({ transports }, { wordFor }) => transports.map(wordFor).join(', '),
  },
  markdown: {
    place: 50,
    label: 'Transports',
    text: ({ transports }, { words }) => words(transports),
  },
  // Part of the line "Is".
  slim: null,
  mcp: [
    {
      place: 90,
      name: 'transports',
      quoted: false,
      value: ({ transports }, { word }) => transports.map(word),
    },
  ],
  imported: true,
  fromCatalogs: true,
})
