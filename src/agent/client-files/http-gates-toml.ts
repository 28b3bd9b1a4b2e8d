import { stringify } from 'smol-toml'
import { gateUrl } from '../../ask/wire/gate-url.ts'
import { BrokenFile } from './broken-file.ts'
import { applyEdits, putLineInToml, sectionAt, tomlText, wholeLine } from './command-prefix-toml.ts'
import { type GatesAt, gatedHeaders, type OpenEntry, openEntryOf } from './http-gates.ts'
import { readToml, sectionsOf, valueIn } from './toml-sections.ts'

const HEADERS = 'http_headers'

/** As `openEntryIn`, of a TOML file. */
export function openEntryInToml(text: string, path: readonly string[]): OpenEntry | undefined {
  const section = sectionsOf(text).find((one) => !one.isList && Bun.deepEquals(one.path, path))
  const url = section && valueIn(text, section, 'url')
  if (!url) return undefined
  const headers = valueIn(text, section, HEADERS)
  return {
    path,
    url: text.slice(url.from, url.to),
    headers: headers ? text.slice(headers.from, headers.to) : null,
  }
}

/** As `putHttpGate`, of a TOML file. */
export function putHttpGateInToml(
  before: string,
  path: readonly string[],
  entry: unknown,
  at: GatesAt & { name: string; holdS: number },
): string {
  const section = sectionAt(before, path)
  const [url, headers] = [valueIn(before, section, 'url'), valueIn(before, section, HEADERS)]
  const isTable = sectionsOf(before).some((one) => Bun.deepEquals(one.path, [...path, HEADERS]))
  if (!url || isTable)
    throw new BrokenFile(`the headers of "${path.at(-1)}" are in a table of their own`)
  const inline = inlineTable(gatedHeaders(entry, at, at.holdS))
  const address = { ...url, put: tomlText(gateUrl(at.base, at.name)) }
  if (headers) return applyEdits(before, [address, { ...headers, put: inline }])
  return putLineInToml(applyEdits(before, [address]), path, `${HEADERS} = ${inline}`, 'url')
}

/** As `takeHttpGate`, of a TOML file. */
export function takeHttpGateFromToml(
  text: string,
  path: readonly string[],
  all: readonly OpenEntry[],
): string {
  const before = openEntryOf(path, all)
  const section = sectionAt(text, path)
  const [url, headers] = [valueIn(text, section, 'url'), valueIn(text, section, HEADERS)]
  if (!url || !headers)
    throw new BrokenFile(`the server "${path.at(-1)}" has lost its address or headers`)
  const old =
    before.headers === null
      ? { ...wholeLine(text, headers), put: '' }
      : { ...headers, put: before.headers }
  return applyEdits(text, [{ ...url, put: before.url }, old])
}

/** Takes the gate out of the data of an entry, if it is known how it was. */
export function takeHttpGateFromData(
  entry: Record<string, unknown>,
  path: readonly string[],
  all: readonly OpenEntry[],
): void {
  const before = all.find((one) => Bun.deepEquals(one.path, path))
  if (!before) return
  entry.url = readToml(`x = ${before.url}`).x
  if (before.headers === null) delete entry[HEADERS]
  else entry[HEADERS] = readToml(`x = ${before.headers}`).x
}

function inlineTable(values: Record<string, string>): string {
  const pairs = Object.entries(values).map(([key, one]) => stringify({ [key]: one }).trimEnd())
  return `{ ${pairs.join(', ')} }`
}
