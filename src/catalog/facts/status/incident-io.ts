import { Type } from '@sinclair/typebox'
import { adapter, headline, type Indicator, translated, worst } from './adapter.ts'

const Text = Type.String({ maxLength: 10_000 })
const Named = Type.Object({ name: Text })
const Incident = Type.Object({ name: Text, current_worst_impact: Type.Optional(Text) })

const Summary = Type.Object({
  ongoing_incidents: Type.Array(Incident, { maxItems: 1_000 }),
  in_progress_maintenances: Type.Array(Named, { maxItems: 1_000 }),
})

const IMPACT: Record<string, Indicator> = {
  ...{ operational: 'none', degraded_performance: 'minor', partial_outage: 'major' },
  full_outage: 'critical',
}

/** The widget API of incident.io, for pages that do not answer as Statuspage does. */
export const INCIDENT_IO = adapter({
  name: 'incident-io',
  path: '/api/v1/summary',
  schema: Summary,
  says({ ongoing_incidents: incidents, in_progress_maintenances: maintenances }) {
    const impacts = incidents.map((one) => translated(IMPACT, one.current_worst_impact ?? ''))
    const calm = maintenances.length > 0 ? 'maintenance' : 'none'
    return {
      indicator: incidents.length > 0 ? worst(impacts) : calm,
      summary: headline(incidents[0]?.name, maintenances[0]?.name, 'All systems operational'),
    }
  },
})
