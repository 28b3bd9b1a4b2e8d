import type { Static, TSchema } from '@sinclair/typebox'
import { type Shape, shape } from '../../../platform/schema.ts'
import type { ProbeNetwork } from '../fact.ts'
import { oneLine, readJsonAddress } from '../read-address.ts'

/** What a status page says in all: its indicator and its headline. */
export type StatusSummary = { indicator: Indicator; summary: string }

/** As the feeds name them; `maintenance` is none of the vendor's failures. */
export type Indicator = 'none' | 'minor' | 'major' | 'critical' | 'maintenance' | 'unknown'

/** One maker of status pages: where its pages answer machines, and in which form. */
export type Adapter = {
  name: string
  /** Under the address of the page. */
  path: string
  form: Shape<TSchema>
  says(value: unknown): StatusSummary
  /** Where the headline of what goes on is, asked only while something does. */
  more?: { path: string; form: Shape<TSchema>; headline(value: unknown): string | undefined }
}

/** Types the reading of an adapter by its schema. */
export function adapter<S extends TSchema, M extends TSchema>(made: {
  name: string
  path: string
  schema: S
  says(value: Static<S>): StatusSummary
  more?: { path: string; schema: M; headline(value: Static<M>): string | undefined }
}): Adapter {
  const { name, path, schema, says, more } = made
  return {
    name,
    path,
    form: shape<TSchema>(schema),
    says: (value) => says(value as Static<S>),
    ...(more
      ? {
          more: {
            path: more.path,
            form: shape<TSchema>(more.schema),
            headline: (value: unknown) => more.headline(value as Static<M>),
          },
        }
      : {}),
  }
}

const SUMMARY_CHARS_MAX = 300

/** The first of these texts in which something can be read, on one line. */
export function headline(...texts: Array<string | null | undefined>): string {
  for (const text of texts) {
    const shown = oneLine(text ?? '', SUMMARY_CHARS_MAX)
    if (shown) return shown
  }
  return ''
}

const RISING = ['none', 'maintenance', 'unknown', 'minor', 'major', 'critical'] as const

export function worstIndicator(indicators: readonly Indicator[]): Indicator {
  return RISING.findLast((one) => indicators.includes(one)) ?? 'none'
}

/** The word of the maker in ours; a word that is not known is `unknown`. */
export function translated(words: Readonly<Record<string, Indicator>>, word: string): Indicator {
  return (Object.hasOwn(words, word) ? words[word] : undefined) ?? 'unknown'
}

/** What came of asking a page in the way of one maker. */
type StatusReading =
  | { outcome: 'says'; says: StatusSummary }
  /** It is not a page of this maker. */
  | { outcome: 'other' }
  /** It cannot be said now; `answers` when there was some answer. */
  | { outcome: 'silent'; answers: boolean }

const BYTES_MAX = 1024 * 1024

export async function readPageOf(
  outside: ProbeNetwork,
  one: Adapter,
  under: string,
): Promise<StatusReading> {
  const reply = await readJsonAddress(outside, under + one.path, one.form, { maxBytes: BYTES_MAX })
  if (reply.outcome === 'absent' || reply.outcome === 'foreign') return { outcome: 'other' }
  if (reply.outcome !== 'read') {
    return {
      outcome: 'silent',
      answers: reply.outcome === 'unchanged' || reply.status !== undefined,
    }
  }
  const says = one.says(reply.value)
  if (!one.more || says.indicator === 'none') return { outcome: 'says', says }
  const more = await readJsonAddress(outside, under + one.more.path, one.more.form, {
    maxBytes: BYTES_MAX,
  })
  const named = more.outcome === 'read' ? headline(one.more.headline(more.value)) : ''
  const summary = named && says.summary ? headline(`${says.summary}: ${named}`) : says.summary
  return { outcome: 'says', says: { ...says, summary: summary || named } }
}
