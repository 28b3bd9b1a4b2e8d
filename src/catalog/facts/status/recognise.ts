import { type Static, Type } from '@sinclair/typebox'
import type { Outside } from '../../probing/probe.ts'
import { closed } from '../../records/words.ts'
import { ask, textOf } from '../ask.ts'
import type { Adapter, Says } from './adapter.ts'
import { BETTER_STACK } from './better-stack.ts'
import { CACHET, CACHET_2 } from './cachet.ts'
import { INCIDENT_IO } from './incident-io.ts'
import { INSTATUS } from './instatus.ts'
import { STATUS_IO, statusIoId } from './status-io.ts'
import { ROOTLY, STATUSPAGE } from './statuspage.ts'
import { tell } from './tell.ts'

/** In the order in which they are tried: the most common first. */
const ADAPTERS: readonly Adapter[] = [
  ...[STATUSPAGE, INSTATUS, BETTER_STACK, INCIDENT_IO, ROOTLY, CACHET, CACHET_2],
]

/** Which maker a page is of: the paths are tried once, and that is remembered. */
export const Recognised = closed({
  page: Type.String({ maxLength: 2_000 }),
  /** Null: of none that is known. */
  adapter: Type.Union([Type.String({ maxLength: 40 }), Type.Null()]),
  /** What the paths of the maker stand under. */
  under: Type.String({ maxLength: 2_100 }),
  /** When a page of none is looked at again; 0 for the others. */
  again: Type.Integer(),
})
export type Recognised = Static<typeof Recognised>

export type Asking = { outside: Outside; page: string; statusIo: string; now: number }

const DAY_MS = 24 * 3_600_000
export const LONGEST_MS = 30 * DAY_MS
const PAGE_BYTES_MAX = 512 * 1024

export function adapterNamed(name: string | null): Adapter | undefined {
  return [...ADAPTERS, STATUS_IO].find((one) => one.name === name)
}

/**
 * Tries the known paths, one after the other, and what they say. A page of nobody is tried again in
 * a month, one that refused to say in a day. Undefined when it does not answer at all.
 */
export async function recognise(
  asking: Asking,
): Promise<{ recognised: Recognised; says?: Says } | undefined> {
  const { outside, page, statusIo, now } = asking
  let refused = false
  for (const under of placesOf(page)) {
    for (const one of ADAPTERS) {
      const told = await tell(outside, one, under)
      if (told.outcome === 'says')
        return { recognised: { page, adapter: one.name, under, again: 0 }, says: told.says }
      if (told.outcome === 'silent' && !told.answers) return undefined
      if (told.outcome === 'silent') refused = true
    }
  }
  const html = await ask(outside, page, { maxBytes: PAGE_BYTES_MAX })
  const id = html.outcome === 'answered' ? statusIoId(textOf(html)) : undefined
  if (id !== undefined) {
    const under = `${statusIo}/1.0/status/${id}`
    const told = await tell(outside, STATUS_IO, under)
    if (told.outcome === 'says')
      return { recognised: { page, adapter: STATUS_IO.name, under, again: 0 }, says: told.says }
    if (told.outcome === 'silent') refused = true
  }
  const again = now + (refused ? DAY_MS : LONGEST_MS)
  return { recognised: { page, adapter: null, under: '', again } }
}

/** The page itself, for makers that keep many pages on one host, and then its host. */
function placesOf(page: string): string[] {
  const { origin, pathname } = new URL(page)
  return [...new Set([origin + pathname.replace(/\/+$/, ''), origin])]
}
