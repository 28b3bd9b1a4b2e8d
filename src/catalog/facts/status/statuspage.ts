import { Type } from '@sinclair/typebox'
import { adapter, headline, type Indicator, translated } from './adapter.ts'

const Text = Type.String({ maxLength: 10_000 })
const Status = Type.Object({ status: Type.Object({ indicator: Text, description: Text }) })
const Summary = Type.Object({
  incidents: Type.Array(Type.Object({ name: Text }), { maxItems: 1_000 }),
})

const WORDS: Record<string, Indicator> = {
  ...{ none: 'none', minor: 'minor', major: 'major', critical: 'critical' },
  maintenance: 'maintenance',
}

function says({ status }: { status: { indicator: string; description: string } }) {
  return {
    indicator: translated(WORDS, status.indicator),
    summary: headline(status.description),
  }
}

/** Atlassian Statuspage, and incident.io and others that answer as it does. */
export const STATUSPAGE = adapter({
  name: 'statuspage',
  path: '/api/v2/status.json',
  schema: Status,
  says,
  more: {
    path: '/api/v2/summary.json',
    schema: Summary,
    headline: ({ incidents }) => incidents[0]?.name,
  },
})

/** Rootly: the same form at another address. */
export const ROOTLY = adapter({
  name: 'rootly',
  path: '/api/v1/status.json',
  schema: Status,
  says,
})
