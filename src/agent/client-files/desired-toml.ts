import { BrokenFile } from './broken-file.ts'
import type { GatedServers } from './gated-servers.ts'
import { besideGatesInToml, gateInToml, takeGatesFromData } from './gated-toml.ts'
import type { JailedServers } from './jailed-servers.ts'
import { jailInToml, moveDataOutOfJail, releaseInToml } from './jailed-toml.ts'
import { readToml, type Section, sectionsOf } from './toml-sections.ts'

/**
 * The desired contents of a TOML file of a client: tables of ours, and an element of ours in lists
 * of tables. Each `text` is the whole block, from its header on, with `\n` between the lines.
 */
export type DesiredToml = {
  kind: 'toml'
  path: string
  tables: ReadonlyArray<{ at: readonly string[]; text: string }>
  lists: ReadonlyArray<{ at: readonly string[]; text: string }>
  /** Tables below are lists of hooks; older entries of ours are looked for in all of them. */
  hooksAt: string
  /** The client's other servers, which can be started in the jail. */
  servers?: JailedServers
  /** The same servers, which can be started behind a gate. */
  gates?: GatedServers
  isOurs(entry: unknown): boolean
}

type Block = { from: number; to: number; at: readonly string[] }

/** Throws `BrokenFile` if the file cannot be read, or if the blocks do not fit into it. */
export function writeToml(before: string, request: DesiredToml): string {
  return proven(before, request, () => {
    const { servers, gates } = request
    const jailed = (text: string) => (servers ? jailInToml(text, servers) : text)
    const text = written(before, request)
    return gates ? gateInToml(besideGatesInToml(text, gates, jailed), gates) : jailed(text)
  })
}

/** Removes our blocks and keeps every other line. */
export function undoToml(before: string, request: DesiredToml): string {
  return proven(before, request, () => {
    const { gates } = request
    const open = gates ? gateInToml(before, { ...gates, add: [], drop: 'all' }) : before
    let text = request.servers ? releaseInToml(open, request.servers) : open
    for (const block of ourBlocks(text, request).reverse()) text = cut(text, block)
    return text
  })
}

function written(before: string, request: DesiredToml): string {
  const eol = before.includes('\r\n') ? '\r\n' : '\n'
  let text = before
  for (const want of [...request.tables, ...request.lists]) {
    const [first, ...more] = ourBlocks(text, request).filter(({ at }) => isSame(at, want.at))
    for (const block of more.reverse()) text = cut(text, block)
    if (!first) text = append(text, want.text, eol)
    else if (!means(text.slice(first.from, first.to), want.text)) {
      text = text.slice(0, first.from) + lines(want.text, eol) + text.slice(first.to)
    }
  }
  for (const block of ourBlocks(text, request).reverse()) {
    if (![...request.tables, ...request.lists].some(({ at }) => isSame(at, block.at))) {
      text = cut(text, block)
    }
  }
  return text
}

/** The positions of our tables and of our elements in lists. */
function ourBlocks(text: string, request: DesiredToml): Block[] {
  readToml(text)
  const blocks: Block[] = []
  const sections = sectionsOf(text)
  for (let i = 0; i < sections.length; i++) {
    const section = sections[i] as Section
    const inside = (other: Section | undefined) =>
      other !== undefined &&
      other.path.length > section.path.length &&
      isSame(other.path.slice(0, section.path.length), section.path)
    let last = section
    while (inside(sections[i + 1])) {
      i += 1
      last = sections[i] as Section
    }
    if (isOurBlock(text.slice(section.from, last.to), section, request)) {
      blocks.push({ from: section.from, to: last.to, at: section.path })
    }
  }
  return blocks
}

function isOurBlock(text: string, { path, isList }: Section, request: DesiredToml): boolean {
  if (request.tables.some(({ at }) => isSame(at, path))) return true
  if (!isList || path.length !== 2 || path[0] !== request.hooksAt) return false
  const { [request.hooksAt]: hooks } = readToml(text) as Record<string, Record<string, unknown[]>>
  return request.isOurs(hooks?.[path[1] ?? '']?.[0])
}

/** A text without a line end at its end still has none afterwards, so that undo can restore it. */
function append(text: string, block: string, eol: string): string {
  if (text === '') return lines(block, eol) + eol
  if (!text.endsWith('\n')) return text + eol + eol + lines(block, eol)
  return text + eol + lines(block, eol) + eol
}

/** Without the lines of the block and the empty line that was added before them. */
function cut(text: string, { from, to }: Block): string {
  const before = text.slice(0, from).replace(/(^|\n)\r?\n$/, '$1')
  if (to === text.length) return before.replace(/\r?\n$/, '')
  return before + text.slice(to).replace(/^[ \t]*\r?\n/, '')
}

function lines(block: string, eol: string): string {
  return block.replaceAll('\n', eol)
}

function means(text: string, target: string): boolean {
  return Bun.deepEquals(readToml(text), readToml(target))
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return Bun.deepEquals(one, other)
}

/** Only our own entries may change; the parser checks this, not the code that wrote it. */
function proven(before: string, request: DesiredToml, change: () => string): string {
  const was = withoutOurs(readToml(before), request)
  try {
    const after = change()
    if (Bun.deepEquals(was, withoutOurs(readToml(after), request))) return after
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
  }
  throw new BrokenFile('its tables are written in a way that ours cannot be added to')
}

function withoutOurs(data: Record<string, unknown>, request: DesiredToml): unknown {
  const copy = structuredCloneOf(data)
  if (request.gates) takeGatesFromData(copy, request.gates)
  if (request.servers) moveDataOutOfJail(copy, request.servers)
  for (const { at } of request.tables) {
    const parent = at.slice(0, -1).reduce<unknown>((inner, name) => fieldOf(inner, name), copy)
    if (isTable(parent)) delete parent[at.at(-1) ?? '']
  }
  const hooks = copy[request.hooksAt]
  if (isTable(hooks)) {
    for (const [event, list] of Object.entries(hooks)) {
      if (Array.isArray(list)) hooks[event] = list.filter((entry) => !request.isOurs(entry))
    }
  }
  return withoutEmpty(copy)
}

function structuredCloneOf(data: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(data)) {
    copy[name] = isTable(value) ? structuredCloneOf(value) : value
  }
  return copy
}

function withoutEmpty(data: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(data)) {
    if (isTable(value)) withoutEmpty(value)
    const empty = Array.isArray(value) ? value.length === 0 : isTable(value) && !hasKeys(value)
    if (empty) delete data[name]
  }
  return data
}

function hasKeys(value: object): boolean {
  return Object.keys(value).length > 0
}

function fieldOf(value: unknown, name: string): unknown {
  return isTable(value) ? value[name] : undefined
}

function isTable(value: unknown): value is Record<string, unknown> {
  return (
    value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
  )
}
