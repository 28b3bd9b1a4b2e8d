import { stringify } from 'smol-toml'
import { BrokenFile } from './broken-file.ts'
import { type JailedServers, placeOfServer, type ServerHere } from './jailed-servers.ts'
import { readToml, type Section, sectionsOf, valueIn, wordsIn } from './toml-sections.ts'

/** As `serversInJson`, of a TOML file. */
export function serversInToml(text: string, { at, own }: JailedServers): ServerHere[] {
  return Object.entries(listIn(readToml(text), at))
    .filter(([name]) => name !== own)
    .map(([name, entry]) => ({ name, is: placeOfServer(entry) }))
}

/** As `jailInJson`, of a TOML file. */
export function jailInToml(before: string, { at, own, starter, add, drop }: JailedServers): string {
  let text = before
  for (const [name, entry] of Object.entries(listIn(readToml(before), at))) {
    if (name === own) continue
    const is = placeOfServer(entry)
    if (is === 'in_the_jail') {
      text = moveOutOfJail(text, [...at, name])
      if (!drop.includes(name)) text = moveIntoJail(text, [...at, name], starter)
    }
    if (is === 'outside' && add.includes(name)) text = moveIntoJail(text, [...at, name], starter)
  }
  return text
}

/** As `releaseInJson`, of a TOML file. */
export function releaseInToml(before: string, { at }: JailedServers): string {
  return Object.entries(listIn(readToml(before), at)).reduce(
    (text, [name, entry]) =>
      placeOfServer(entry) === 'in_the_jail' ? moveOutOfJail(text, [...at, name]) : text,
    before,
  )
}

/** The data of a file with every server out of the jail. */
export function moveDataOutOfJail(data: Record<string, unknown>, { at }: JailedServers): void {
  for (const entry of Object.values(listIn(data, at))) {
    if (placeOfServer(entry) !== 'in_the_jail') continue
    const server = entry as { command: unknown; args?: unknown[] }
    const [command, ...args] = server.args ?? []
    server.command = command
    server.args = args
  }
}

function listIn(data: Record<string, unknown>, at: readonly string[]): Record<string, unknown> {
  const list = at.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], data)
  return list !== null && typeof list === 'object' ? (list as Record<string, unknown>) : {}
}

function moveIntoJail(text: string, path: readonly string[], starter: string): string {
  const section = sectionAt(text, path)
  const command = valueIn(text, section, 'command')
  if (!command) throw unusual(path)
  const raw = text.slice(command.from, command.to)
  const args = valueIn(text, section, 'args')
  const put = stringify({ x: starter }).trimEnd().replace(/^x = /, '')
  if (!args) {
    const eol = text.includes('\r\n') ? '\r\n' : '\n'
    // The blanks show later that there was no list.
    return `${text.slice(0, command.from)}${put}${eol}args = [ ${raw} ]${text.slice(command.to)}`
  }
  const [first] = wordsIn(text, args)
  const at = first?.from ?? args.from + 1
  const edits = [
    { ...command, put },
    { from: at, to: at, put: first ? `${raw}, ` : raw },
  ]
  return applyEdits(text, edits)
}

function moveOutOfJail(text: string, path: readonly string[]): string {
  const section = sectionAt(text, path)
  const [command, args] = [valueIn(text, section, 'command'), valueIn(text, section, 'args')]
  const [first, second] = args ? wordsIn(text, args) : []
  if (!command || !args || !first) throw unusual(path)
  const raw = text.slice(first.from, first.to)
  const cut = text.slice(args.from, args.to) === `[ ${raw} ]` ? lineOf(text, args) : undefined
  const gone = cut ?? { from: first.from, to: second?.from ?? first.to }
  return applyEdits(text, [
    { ...command, put: raw },
    { ...gone, put: '' },
  ])
}

/** A line with the line end before it. */
function lineOf(text: string, { from, to }: { from: number; to: number }) {
  const start = text.lastIndexOf('\n', from)
  return { from: text[start - 1] === '\r' ? start - 1 : start, to }
}

function applyEdits(text: string, edits: Array<{ from: number; to: number; put: string }>): string {
  return edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((all, { from, to, put }) => all.slice(0, from) + put + all.slice(to), text)
}

function sectionAt(text: string, path: readonly string[]): Section {
  const section = sectionsOf(text).find((one) => !one.isList && Bun.deepEquals(one.path, path))
  if (!section) throw unusual(path)
  return section
}

function unusual(path: readonly string[]): BrokenFile {
  return new BrokenFile(
    `the server "${path.at(-1)}" is written in a way that setup cannot bring into the jail, or out of it`,
  )
}
