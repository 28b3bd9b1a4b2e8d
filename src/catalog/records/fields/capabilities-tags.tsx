/** @jsxImportSource preact */
import { Type } from '@sinclair/typebox'
import { dottedWord, filledText, texts } from '../words.ts'
import { defineField } from './field.ts'

/** Names of what the tool can do, from the list of `catalog.yaml`. */
export const CAPABILITIES = defineField({
  written: { capabilities: Type.Optional(Type.Array(dottedWord('Dotted word.'))) },
  served: {
    capabilities: texts('Dotted names of what it can do, such as email.send.', 100),
  },
  serve: ({ capabilities = [] }) => ({ capabilities }),
  page: {
    section: 'facts',
    place: 110,
    label: 'Can',
    value: ({ capabilities }, { Words }) =>
      capabilities.length > 0 && <Words filter="capability" words={capabilities} />,
  },
  row: null,
  compare: null,
  markdown: {
    place: 180,
    label: 'Capabilities',
    text: ({ capabilities }, { words }) => words(capabilities),
  },
  slim: {
    place: 160,
    label: 'Can',
    text: ({ capabilities }, { words }) => words(capabilities.slice(0, 12)),
  },
  mcp: [
    {
      place: 140,
      name: 'capabilities',
      quoted: false,
      value: ({ capabilities }, { word }) => capabilities.slice(0, 6).map(word),
    },
  ],
  imported: true,
  fromCatalogs: true,
})

export const TAGS = defineField({
  written: { tags: Type.Optional(Type.Array(filledText('Free word.', 100))) },
  served: { tags: texts('Free words.', 100) },
  serve: ({ tags = [] }) => ({ tags }),
  page: {
    section: 'facts',
    place: 120,
    label: 'Tags',
    value: ({ tags }, { Words }) => tags.length > 0 && <Words filter="tag" words={tags} />,
  },
  row: null,
  compare: null,
  markdown: { place: 190, label: 'Tags', text: ({ tags }, { words }) => words(tags) },
  slim: null,
  mcp: null,
  imported: true,
  fromCatalogs: true,
})
