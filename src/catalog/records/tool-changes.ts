import { type Static, Type } from '@sinclair/typebox'
import { closed, countField, instantField, openWord, orNull, textField } from './words.ts'

const HASH = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the address and of all that a model is shown of the tool.',
})

/** Whether a call that worked may fail; null: not known. */
const breaking = orNull(
  Type.Boolean({
    description:
      'Whether a call, or a reader of its result, that worked before may fail. Null: not known.',
  }),
)

/** The most parts of one changed tool that are listed. */
export const PARTS_MAX = 30

const TOOL_PARTS = [
  'title',
  'description',
  'annotations',
  'input',
  'output',
  'came',
  'went',
  'required',
  'optional',
  'type',
  'values',
  'limits',
  'words',
] as const

/** One difference between two versions of a tool. */
export const ToolPart = closed({
  what: openWord('What differs.', TOOL_PARTS),
  of: Type.Optional(openWord('Whose part it is.', ['parameter', 'result'])),
  path: Type.Optional(
    textField('Which one: names joined by dots, `[]` for the items of a list.', 200),
  ),
  before: Type.Optional(textField('What it was, in short.', 200)),
  after: Type.Optional(textField('What it is now, in short.', 200)),
  breaking,
})
export type ToolPart = Static<typeof ToolPart>

/** A tool that came, went or changed. */
export const ToolChange = closed({
  tool: textField('Tool.', 200),
  kind: openWord('What happened to it.', ['came', 'went', 'changed']),
  breaking,
  hash: Type.Optional(HASH),
  parts: Type.Array(ToolPart, { description: 'What differs; only of a changed tool.' }),
  more: Type.Optional(countField('Further differences, which are not listed.')),
})
export type ToolChange = Static<typeof ToolChange>

/** A list of tools that differs from the one before. */
export const ToolListChange = closed({
  at: instantField('When the list was read.'),
  url: textField('Whose list.', 2000),
  count: countField('Tools in it.'),
  changes: Type.Array(ToolChange, {
    description: 'What differs from the list before; empty for the first list.',
  }),
})
export type ToolListChange = Static<typeof ToolListChange>

/** A tool as it was listed last. */
export const CurrentTool = closed({
  name: textField('Tool.', 200),
  hash: HASH,
  seenAt: instantField('When it was first listed.'),
  changedAt: instantField('When it last changed; the same if it never did.'),
})
export type CurrentTool = Static<typeof CurrentTool>

export const ToolHash = HASH
