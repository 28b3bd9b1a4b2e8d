import type { ToolDefinition } from '../../../platform/mcp/tool-fingerprint.ts'
import { canonicalJson } from '../../records/canonical.ts'
import { PARTS_MAX, type ToolChange, type ToolPart } from '../../records/tool-changes.ts'
import { compareSchemas, inShort } from './compare-schemas.ts'
import type { HashedTool } from './tool-list.ts'

/**
 * What came, went and changed between two lists of one server, by name. A list that was not read to
 * its end (`isWhole` false) says nothing about tools that are not in it.
 */
export function compareTools(
  before: readonly HashedTool[],
  after: readonly HashedTool[],
  isWhole = true,
): ToolChange[] {
  const [old, now] = [byName(before), byName(after)]
  const names = [...new Set([...old.keys(), ...now.keys()])].sort()
  return names.flatMap((tool): ToolChange[] => {
    const [was, is] = [old.get(tool), now.get(tool)]
    if (!is) return isWhole ? [{ tool, kind: 'went', breaking: true, parts: [] }] : []
    const { hash } = is
    if (!was) return [{ tool, kind: 'came', breaking: false, hash, parts: [] }]
    if (was.hash === hash) return []
    if (!was.definition || !is.definition) {
      return [{ tool, kind: 'changed', breaking: null, hash, parts: [] }]
    }
    const parts = compareTool(was.definition, is.definition)
    if (parts.length === 0) return []
    const breaking = worst(parts)
    const further = parts.length - PARTS_MAX
    const more = further > 0 ? { more: further } : {}
    return [{ tool, kind: 'changed', breaking, hash, parts: parts.slice(0, PARTS_MAX), ...more }]
  })
}

/** What differs between two versions of a tool; those that break come first. */
function compareTool(before: ToolDefinition, after: ToolDefinition): ToolPart[] {
  const words = (['title', 'description'] as const).flatMap((what): ToolPart[] =>
    same(before[what], after[what])
      ? []
      : [
          {
            what,
            before: inShort(before[what] ?? ''),
            after: inShort(after[what] ?? ''),
            breaking: false,
          },
        ],
  )
  const hints: ToolPart[] = same(before.annotations, after.annotations)
    ? []
    : [
        {
          what: 'annotations',
          before: inShort(before.annotations ?? ''),
          after: inShort(after.annotations ?? ''),
          breaking: false,
        },
      ]
  const parts = [
    ...compareSchemas('parameter', before.inputSchema, after.inputSchema),
    ...resultOf(before.outputSchema, after.outputSchema),
    ...words,
    ...hints,
  ]
  return parts.toSorted((a, b) => PLACE.indexOf(a.breaking) - PLACE.indexOf(b.breaking))
}

function resultOf(before: unknown, after: unknown): ToolPart[] {
  if (same(before, after)) return []
  if (before === undefined) return [{ what: 'output', after: 'described', breaking: false }]
  if (after === undefined) {
    return [{ what: 'output', before: 'described', after: 'not described', breaking: true }]
  }
  return compareSchemas('result', before, after)
}

const PLACE: ReadonlyArray<boolean | null> = [true, null, false]

/** True if anything breaks, else null if anything is not known. */
function worst(parts: ReadonlyArray<{ breaking: boolean | null }>): boolean | null {
  const place = PLACE.find((one) => parts.some(({ breaking }) => breaking === one))
  return place === undefined ? false : place
}

function byName(tools: readonly HashedTool[]): Map<string, HashedTool> {
  const first = new Map<string, HashedTool>()
  for (const tool of tools) if (!first.has(tool.name)) first.set(tool.name, tool)
  return first
}

function same(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null)
}
