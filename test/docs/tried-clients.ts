import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENTS } from '../../src/agent/clients/clients.ts'

/** The last recorded version of each client, and the day. */
export type Recordings = Record<string, { version: string; on: string }>

/** `bun test/long/clients/record.ts` writes it. */
export const RECORDINGS = join(import.meta.dir, '../fixtures/clients/recorded.json')

const PAGE = join(import.meta.dir, '../../docs/clients/README.md')
const BEGIN = 'Recorded last: '

/** The line of docs/clients that names what was recorded. */
export function triedLine(): string {
  const recordings: Recordings = JSON.parse(readFileSync(RECORDINGS, 'utf8'))
  const cells = CLIENTS.flatMap(({ name, title }) => {
    const last = recordings[name]
    return last ? [`${title} ${last.version} (${last.on})`] : []
  })
  return `${BEGIN}${cells.join(', ')}.`
}

/** Writes the line anew. Throws if the page has none. */
export function keepTriedLine(): void {
  const text = readFileSync(PAGE, 'utf8')
  const line = new RegExp(`^${BEGIN}.*$`, 'm')
  if (!line.test(text)) throw new Error(`${PAGE} has no line that begins with "${BEGIN}"`)
  writeFileSync(
    PAGE,
    text.replace(line, () => triedLine()),
  )
}
