import { cleanLine, cleanText, cutText } from '../../platform/text.ts'
import type { GatedCall, ToolChange, ToolHints } from '../wire/gated-call.ts'
import type { ToolDefinition } from '../wire/tool-fingerprint.ts'
import { type GateTool, seenOf, stateOf } from './model/gate.ts'

const TITLE_MAX = 200
const TEXT_MAX = 2_000
const CHANGES_MAX = 12

/** What a question says of the tool: its own words, its hints, and what changed since a person saw it. */
export function describeTool(
  tool: GateTool,
): Pick<GatedCall, 'title' | 'description' | 'hints' | 'state' | 'changes'> {
  const { definition } = tool
  const state = stateOf(tool)
  const seen = seenOf(tool)
  const title = textIn(definition.title, TITLE_MAX)
  const description = textIn(definition.description, TEXT_MAX)
  const hints = hintsOf(definition)
  return {
    state,
    ...(title === undefined ? {} : { title: cleanLine(title) }),
    ...(description === undefined ? {} : { description }),
    ...(Object.keys(hints).length > 0 ? { hints } : {}),
    ...(state === 'changed' && seen
      ? { changes: changesBetween(seen.definition, definition).slice(0, CHANGES_MAX) }
      : {}),
  }
}

/** The hints that are a yes or a no; anything else is not known. */
function hintsOf({ annotations }: ToolDefinition): ToolHints {
  const fields = isObject(annotations) ? annotations : {}
  const hints = {
    readOnly: fields.readOnlyHint,
    destructive: fields.destructiveHint,
    idempotent: fields.idempotentHint,
    openWorld: fields.openWorldHint,
  }
  return Object.fromEntries(
    Object.entries(hints).filter(([, value]) => typeof value === 'boolean'),
  ) as ToolHints
}

const PARTS = [
  ['title', 'Title'],
  ['description', 'What it says it does'],
  ['inputSchema', 'What it takes'],
  ['outputSchema', 'What it returns'],
  ['annotations', 'Hints'],
] as const satisfies ReadonlyArray<readonly [keyof ToolDefinition, string]>

/** The parts of a tool that differ, as texts. Invisible characters stay in them, for pages to mark. */
function changesBetween(before: ToolDefinition, after: ToolDefinition): ToolChange[] {
  return PARTS.flatMap(([part, name]) => {
    const [old, now] = [textOf(before[part]), textOf(after[part])]
    return old === now ? [] : [{ part: name, ...around(old, now) }]
  })
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  return cleanText(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2))
}

// Before the first difference.
const CONTEXT = 200

/** Both texts, from a little before they part if they are long. */
function around(before: string, after: string): { before: string; after: string } {
  if (before.length <= TEXT_MAX && after.length <= TEXT_MAX) return { before, after }
  let at = 0
  while (at < before.length && before[at] === after[at]) at++
  const from = Math.max(0, at - CONTEXT)
  const part = (text: string) => {
    const rest = text.slice(from)
    return `${from > 0 ? '… ' : ''}${cutText(rest, TEXT_MAX)}${rest.length > TEXT_MAX ? ' …' : ''}`
  }
  return { before: part(before), after: part(after) }
}

function textIn(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = cleanText(value)
  return (text.length > most ? `${cutText(text, most)} …` : text) || undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
