import type { Static, TSchema } from '@sinclair/typebox'
import { type Shape, shape } from '../../../platform/schema.ts'
import type { ProbeNetwork } from '../fact.ts'
import { oneLine, readJsonAddress } from '../read-address.ts'

/** The overall state of a status page: indicator and headline. */
export type StatusSummary = { indicator: Indicator; summary: string }

/** The indicators of the feeds; `maintenance` is not a failure. */
export type Indicator = 'none' | 'minor' | 'major' | 'critical' | 'maintenance' | 'unknown'

/** One provider of status pages: the path and the shape of its JSON. */
export type Adapter = {
  name: string
  /** Below the address of the page. */
  path: string
  form: Shape<TSchema>
  says(value: unknown): StatusSummary
  /** Where the headline of an incident is; read only during one. */
  more?: { path: string; form: Shape<TSchema>; headline(value: unknown): string | undefined }
}

/** Types the reading of an adapter by its schema. */
export function adapter<S extends TSchema, M extends TSchema>(source: {
  name: string
  path: string
  schema: S
  says(value: Static<S>): StatusSummary
  more?: { path: string; schema: M; headline(value: Static<M>): string | undefined }
}): Adapter {
  const { name, path, schema, says, more } = source
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

/** The first of these texts that is not empty, on one line. */
export function headline(...texts: Array<string | null | undefined>): string {
  for (const text of texts) {
    const line = oneLine(text ?? '', SUMMARY_CHARS_MAX)
    if (line) return line
  }
  return ''
}

const RISING = ['none', 'maintenance', 'unknown', 'minor', 'major', 'critical'] as const

export function worstIndicator(indicators: readonly Indicator[]): Indicator {
  return RISING.findLast((one) => indicators.includes(one)) ?? 'none'
}

/** The provider's word as an indicator; `unknown` for an unknown word. */
export function translated(words: Readonly<Record<string, Indicator>>, word: string): Indicator {
  return (Object.hasOwn(words, word) ? words[word] : undefined) ?? 'unknown'
}

/** The result of reading a page as one provider's. */
type StatusReading =
  | { outcome: 'says'; says: StatusSummary }
  /** Not a page of this provider. */
  | { outcome: 'other' }
  /** Nothing is known now; `answers` if there was any answer. */
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
  const title = more.outcome === 'read' ? headline(one.more.headline(more.value)) : ''
  const summary = title && says.summary ? headline(`${says.summary}: ${title}`) : says.summary
  return { outcome: 'says', says: { ...says, summary: summary || title } }
}
