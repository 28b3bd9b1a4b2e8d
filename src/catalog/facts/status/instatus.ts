import { Type } from '@sinclair/typebox'
import { adapter, headline, type Indicator, translated, worst } from './adapter.ts'

const Text = Type.String({ maxLength: 10_000 })
const Incident = Type.Object({ name: Text, impact: Type.Optional(Text) })

const Summary = Type.Object({
  page: Type.Object({ name: Text, url: Text, status: Text }),
  activeIncidents: Type.Optional(Type.Array(Incident, { maxItems: 1_000 })),
  activeMaintenances: Type.Optional(Type.Array(Type.Object({ name: Text }), { maxItems: 1_000 })),
})

const PAGE: Record<string, Indicator> = {
  ...{ UP: 'none', HASISSUES: 'minor', UNDERMAINTENANCE: 'maintenance' },
}
const IMPACT: Record<string, Indicator> = {
  ...{ OPERATIONAL: 'none', DEGRADEDPERFORMANCE: 'minor', MINOROUTAGE: 'minor' },
  ...{ PARTIALOUTAGE: 'major', MAJOROUTAGE: 'critical' },
}

const WITHOUT_INCIDENT: Partial<Record<Indicator, string>> = {
  ...{ none: 'All systems operational', maintenance: 'Under maintenance' },
}

export const INSTATUS = adapter({
  name: 'instatus',
  path: '/summary.json',
  schema: Summary,
  says({ page, activeIncidents = [], activeMaintenances = [] }) {
    const overall = translated(PAGE, page.status)
    const impacts = activeIncidents.map(({ impact }) => translated(IMPACT, impact ?? ''))
    const indicator =
      page.status === 'HASISSUES'
        ? worst([overall, ...impacts.filter((impact) => impact !== 'unknown')])
        : overall
    return {
      indicator,
      summary: headline(
        indicator === 'maintenance' ? activeMaintenances[0]?.name : activeIncidents[0]?.name,
        WITHOUT_INCIDENT[indicator],
        'Some systems have issues',
      ),
    }
  },
})
