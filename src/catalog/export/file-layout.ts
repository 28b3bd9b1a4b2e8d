import { extname } from 'node:path'
import { byText } from '../feeds/listing-order.ts'

/** What an address answers, as far as a server of files has to know. */
export type Typed = { path: string; type: string; link?: string | null }

/** Ending of the files whose address has none, by the beginning of their media type. */
const ENDINGS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^text\/html/, '.html'],
  [/json/, '.json'],
  [/xml/, '.xml'],
  [/^text\/markdown/, '.md'],
]
const OTHERS = '.txt'
// An ending is letters and digits that begin with a letter: `/v0.1` has none.
const ENDING = /^\.[a-z][a-z0-9]*$/
// What file systems and servers of files agree on; there is nothing else in the catalog.
const SAFE_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~@:%+-]+)+$/

/**
 * Where the document of an address lies in the folder: `/tools/mail.json` as it is, the page
 * `/tools/mail` as `/tools/mail.html`, so that `/tools` and what is below it can be files together.
 * Throws for an address that cannot be a file.
 */
export function fileOf({ path: asked, type }: Typed): string {
  const path = unescaped(asked)
  if (!SAFE_PATH.test(path)) throw new Error(`${path} cannot be the name of a file`)
  if (endingOf(path) !== '') return path
  return `${path}${ENDINGS.find(([pattern]) => pattern.test(type))?.[1] ?? OTHERS}`
}

/** Servers of files look where an address leads once its escapes are read: `%2F` is a folder. */
export function unescaped(path: string): string {
  return decodeURIComponent(path)
}

function endingOf(path: string): string {
  const ending = extname(path)
  return ENDING.test(ending) ? ending : ''
}

/** The media type of each ending: the one that most of its files have. */
export function typesByEnding(all: readonly Typed[]): Map<string, string> {
  const byEnding = Map.groupBy(all, (one) => extname(fileOf(one)).slice(1))
  const types = [...byEnding].map(([ending, own]): [string, string] => {
    const counts = [...Map.groupBy(own, ({ type }) => type)]
    counts.sort(([a, one], [b, other]) => other.length - one.length || byText(a, b))
    return [ending, counts[0]?.[0] ?? 'application/octet-stream']
  })
  return new Map(types.sort(([a], [b]) => byText(a, b)))
}

/** Those that a server of files would not find, or would send with another type. */
export function exceptions(all: readonly Typed[]): Typed[] {
  const types = typesByEnding(all)
  return all.filter((one) => {
    const file = fileOf(one)
    const path = unescaped(one.path)
    const found = file === path || file === `${path}.html`
    return !found || types.get(extname(file).slice(1)) !== one.type
  })
}
