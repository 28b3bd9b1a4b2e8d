import { extname } from 'node:path'
import { byText } from '../feeds/listing-order.ts'
import { pagePaths } from '../page-paths.ts'

/** The part of a response that a static server has to reproduce. */
export type Typed = { path: string; type: string; link?: string | null }

/** The ending of files whose address has none, by media type. */
const ENDINGS: ReadonlyArray<readonly [RegExp, string]> = [
  [/json/, '.json'],
  [/xml/, '.xml'],
  [/^text\/markdown/, '.md'],
]
const OTHERS = '.txt'
/** The file of a page in the folder that its address names. */
const PAGE = '/index.html'
// An ending is letters and digits that begin with a letter: `/v0.1` has none.
const ENDING = /^\.[a-z][a-z0-9]*$/
// Characters that file systems and static servers agree on; the catalog uses no others.
const SAFE_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~@:%+-]+)+$/

/**
 * The file of an address: `/tools/mail.json` as it is, the page `/tools/mail` as
 * `/tools/mail/index.html`, where every file server looks for it. Throws for an address that cannot
 * be a file.
 */
export function fileOf({ path: requestPath, type }: Typed): string {
  const path = unescaped(requestPath)
  if (!SAFE_PATH.test(path)) throw new Error(`${path} cannot be the name of a file`)
  if (endingOf(path) !== '') return path
  if (/^text\/html/.test(type)) return `${path}${PAGE}`
  return `${path}${ENDINGS.find(([pattern]) => pattern.test(type))?.[1] ?? OTHERS}`
}

/** Every file with the bytes of this document: the directory is also the root of a copy. */
export function filesOf(document: Typed): string[] {
  return document.path === pagePaths.tools ? [fileOf(document), PAGE] : [fileOf(document)]
}

/** Static servers decode an address before they look: `%2F` is a folder. */
export function unescaped(path: string): string {
  return decodeURIComponent(path)
}

function endingOf(path: string): string {
  const ending = extname(path)
  return ENDING.test(ending) ? ending : ''
}

/** The media type of each ending: the most frequent one. */
export function typesByEnding(all: readonly Typed[]): Map<string, string> {
  const byEnding = Map.groupBy(all, (one) => extname(fileOf(one)).slice(1))
  const types = [...byEnding].map(([ending, own]): [string, string] => {
    const counts = [...Map.groupBy(own, ({ type }) => type)]
    counts.sort(([a, one], [b, other]) => other.length - one.length || byText(a, b))
    return [ending, counts[0]?.[0] ?? 'application/octet-stream']
  })
  return new Map(types.sort(([a], [b]) => byText(a, b)))
}

/** Files that a static server would not find, or would send with another type. */
export function exceptions(all: readonly Typed[]): Typed[] {
  const types = typesByEnding(all)
  return all.filter((one) => {
    const file = fileOf(one)
    const path = unescaped(one.path)
    const isReachable = file === path || file === `${path}${PAGE}`
    return !isReachable || types.get(extname(file).slice(1)) !== one.type
  })
}
