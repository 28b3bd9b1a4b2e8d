import { Type } from '@sinclair/typebox'
import { adapter, headline, type Indicator, translated } from './adapter.ts'

const Text = Type.String({ maxLength: 10_000 })

const WORDS: Record<string, Indicator> = {
  ...{ operational: 'none', partial_outage: 'major', major_outage: 'critical' },
  under_maintenance: 'maintenance',
  // Of version 2.
  ...{ success: 'none', info: 'minor', danger: 'major' },
}

/** Cachet 3. */
export const CACHET = adapter({
  name: 'cachet',
  path: '/api/status',
  schema: Type.Object({
    data: Type.Object({ attributes: Type.Object({ status: Text, label: Text }) }),
  }),
  says({ data: { attributes } }) {
    const { status, label } = attributes
    return { indicator: translated(WORDS, status), summary: headline(label, status) }
  },
})

/** Cachet 2. */
export const CACHET_2 = adapter({
  name: 'cachet-2',
  path: '/api/v1/status',
  schema: Type.Object({ data: Type.Object({ status: Text, message: Text }) }),
  says({ data: { status, message } }) {
    return { indicator: translated(WORDS, status), summary: headline(message, status) }
  },
})
