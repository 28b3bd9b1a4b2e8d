import type { Static, TObject, TProperties } from '@sinclair/typebox'
import type { FactModule } from '../facts/fact.ts'
import { FACTS, type LiveProperties, livePropertiesOf } from '../facts/facts.ts'
import { closed, instantField, orNull, slug } from './words.ts'

const SLUG = slug('The tool.')
const UPDATED_AT = orNull(
  instantField('When any of this was last measured; null before the first time.'),
)

/** The schema of measurements: the members of every fact, in their order. */
export function liveSchema(facts: readonly FactModule[]): TObject<TProperties> {
  return closed(
    { slug: SLUG, ...livePropertiesOf(facts), updatedAt: UPDATED_AT },
    'What was measured; empty until the first probe.',
  )
}

/** The measurements of one tool. */
export const Live = liveSchema(FACTS) as TObject<
  { slug: typeof SLUG; updatedAt: typeof UPDATED_AT } & LiveProperties
>
export type Live = Static<typeof Live>

export type LiveBySlug = ReadonlyMap<string, Live>

/** No measurements yet. */
export function notMeasured(slug: string): Live {
  return { slug, versions: [], pages: [], updatedAt: null }
}
