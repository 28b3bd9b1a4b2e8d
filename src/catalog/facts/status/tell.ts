import type { Outside } from '../../probing/probe.ts'
import { askJson } from '../ask-json.ts'
import { type Adapter, headline, type Says } from './adapter.ts'

/** What came of asking a page in the way of one maker. */
export type Told =
  | { outcome: 'says'; says: Says }
  /** It is not a page of this maker. */
  | { outcome: 'other' }
  /** It cannot be said now; `answers` when there was some answer. */
  | { outcome: 'silent'; answers: boolean }

const BYTES_MAX = 1024 * 1024

export async function tell(outside: Outside, one: Adapter, under: string): Promise<Told> {
  const reply = await askJson(outside, under + one.path, one.form, { maxBytes: BYTES_MAX })
  if (reply.outcome === 'absent' || reply.outcome === 'foreign') return { outcome: 'other' }
  if (reply.outcome !== 'read') {
    return {
      outcome: 'silent',
      answers: reply.outcome === 'unchanged' || reply.status !== undefined,
    }
  }
  const says = one.says(reply.value)
  if (!one.more || says.indicator === 'none') return { outcome: 'says', says }
  const more = await askJson(outside, under + one.more.path, one.more.form, { maxBytes: BYTES_MAX })
  const named = more.outcome === 'read' ? headline(one.more.headline(more.value)) : ''
  const summary = named && says.summary ? headline(`${says.summary}: ${named}`) : says.summary
  return { outcome: 'says', says: { ...says, summary: summary || named } }
}
