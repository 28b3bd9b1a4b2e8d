import type { ToolDefinition } from '../../platform/mcp/tool-fingerprint.ts'
import { cleanLine, cutText, visibleText } from '../../platform/text.ts'
import type { GatedCall, ToolChange, ToolHints } from '../wire/gated-call.ts'
import { type GateTool, type SeenTool, seenOf, stateOf } from './model/gate.ts'

const TITLE_MAX = 200
const TEXT_MAX = 2_000

/** What a question says of the tool: its own words, its hints, and what changed since a person saw it. */
export function describeTool(
  tool: GateTool,
): Pick<GatedCall, 'title' | 'description' | 'hints' | 'state' | 'changes'> {
  const { definition } = tool
  const state = stateOf(tool)
  const title = textIn(definition.title, TITLE_MAX)
  const description = textIn(definition.description, TEXT_MAX)
  const hints = hintsOf(definition)
  return {
    state,
    ...(title === undefined ? {} : { title: cleanLine(title) }),
    ...(description === undefined ? {} : { description }),
    ...(Object.keys(hints).length > 0 ? { hints } : {}),
    ...(state === 'changed' ? { changes: changesBetween(seenOf(tool), definition) } : {}),
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

/** What changed since an owner confirmed a tool, or else since a person allowed a call of it. */
export function changesSince({ confirmed, lastYes, definition }: GateTool): ToolChange[] {
  return changesBetween(confirmed ?? lastYes, definition)
}

/** Every part of a tool, whole. */
export function partsOf(definition: ToolDefinition): Array<{ part: string; text: string }> {
  return PARTS.flatMap(([part, name]) => {
    const text = textOf(definition[part])
    return text === '' ? [] : [{ part: name, text }]
  })
}

/** The parts of a tool that differ, as texts. Invisible characters stay in them, for pages to mark. */
function changesBetween(before: SeenTool | undefined, after: ToolDefinition): ToolChange[] {
  if (!before) return []
  return PARTS.flatMap(([part, name]) => {
    const [old, now] = [textOf(before.definition[part]), textOf(after[part])]
    return old === now ? [] : [{ part: name, ...around(old, now) }]
  })
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  return writtenOut(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2))
}

/** The text with what turns or hides text written out, so that no change goes unseen. */
function writtenOut(text: string): string {
  return visibleText(text.replace(/\r\n?/g, '\n')).toWellFormed()
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
  const text = writtenOut(value)
  return (text.length > most ? `${cutText(text, most)} …` : text) || undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
