import { Type } from '@sinclair/typebox'
import { cleanLine } from '../../../platform/text.ts'
import { filledText, textField } from '../words.ts'
import { defineField } from './field.ts'

export const REGISTRY_NAME = defineField({
  written: { registryName: Type.Optional(filledText('Name in the official MCP registry.', 300)) },
  served: { registryName: Type.Optional(textField('Name in the official MCP registry.', 300)) },
  serve: (written) => written,
  page: {
    section: 'facts',
    place: 90,
    label: 'Registry name',
    value: ({ registryName }) => cleanLine(registryName ?? ''),
  },
  row: null,
  compare: null,
  markdown: {
    place: 80,
    label: 'Name in the MCP registry',
    text: ({ registryName }, { text }) => text(registryName ?? ''),
  },
  slim: null,
  mcp: null,
  imported: true,
  fromCatalogs: true,
})
