import { Type } from '@sinclair/typebox'
import { adapter, headline, type Indicator, translated } from './adapter.ts'

const Text = Type.String({ maxLength: 10_000 })
const Page = Type.Object({
  data: Type.Object({
    type: Type.Literal('status_page'),
    attributes: Type.Object({
      aggregate_state: Text,
      announcement: Type.Optional(Type.Union([Text, Type.Null()])),
    }),
  }),
})

const STATES: Record<string, Indicator> = {
  ...{ operational: 'none', degraded: 'minor', downtime: 'critical', maintenance: 'maintenance' },
}
const NAMES: Record<string, string> = {
  ...{ operational: 'All services are online', degraded: 'Some services are degraded' },
  ...{ downtime: 'Some services are down', maintenance: 'Under maintenance' },
}

/** Better Stack, once Better Uptime. */
export const BETTER_STACK = adapter({
  name: 'better-stack',
  path: '/index.json',
  schema: Page,
  says({ data: { attributes } }) {
    const { aggregate_state: state, announcement } = attributes
    const name = Object.hasOwn(NAMES, state) ? NAMES[state] : undefined
    return { indicator: translated(STATES, state), summary: headline(announcement, name, state) }
  },
})
