import { Type } from '@sinclair/typebox'
import { countField, orNull } from '../words.ts'
import { defineField } from './field.ts'

/** As measured, if the endpoint gave its whole list. */
export const TOOL_COUNT = defineField({
  written: { toolCount: Type.Optional(orNull(countField('MCP tools it offers.'))) },
  served: {
    toolCount: orNull(countField('MCP tools it offers; null: not known or none.')),
  },
  serve: ({ toolCount }, { live }) => ({ toolCount: live.mcpTools?.count ?? toolCount ?? null }),
  page: {
    section: 'facts',
    place: 50,
    label: 'MCP tools',
    value: ({ toolCount }, { number }) => (toolCount === null ? undefined : number(toolCount)),
  },
  row: null,
  compare: null,
  markdown: {
    place: 110,
    label: 'MCP tools',
    text: ({ toolCount }) => (toolCount === null ? undefined : String(toolCount)),
  },
  slim: null,
  mcp: null,
  imported: true,
  fromCatalogs: true,
})
