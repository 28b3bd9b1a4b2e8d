import { Type } from '@sinclair/typebox'
import { adapter, headline, type Indicator, translated, worstIndicator } from './adapter.ts'

const Text = Type.String({ maxLength: 10_000 })
const StatuspageStatus = Type.Object({
  status: Type.Object({ indicator: Text, description: Text }),
})
const Incidents = Type.Object({
  incidents: Type.Array(Type.Object({ name: Text }), { maxItems: 1_000 }),
})

const STATUSPAGE_WORDS: Record<string, Indicator> = {
  none: 'none',
  minor: 'minor',
  major: 'major',
  critical: 'critical',
  maintenance: 'maintenance',
}

function statuspageSays({ status }: { status: { indicator: string; description: string } }) {
  return {
    indicator: translated(STATUSPAGE_WORDS, status.indicator),
    summary: headline(status.description),
  }
}

/** Atlassian Statuspage, and incident.io and others that answer as it does. */
export const STATUSPAGE = adapter({
  name: 'statuspage',
  path: '/api/v2/status.json',
  schema: StatuspageStatus,
  says: statuspageSays,
  more: {
    path: '/api/v2/summary.json',
    schema: Incidents,
    headline: ({ incidents }) => incidents[0]?.name,
  },
})

/** Rootly: the same form at another address. */
export const ROOTLY = adapter({
  name: 'rootly',
  path: '/api/v1/status.json',
  schema: StatuspageStatus,
  says: statuspageSays,
})

const InstatusIncident = Type.Object({ name: Text, impact: Type.Optional(Text) })

const InstatusSummary = Type.Object({
  page: Type.Object({ name: Text, url: Text, status: Text }),
  activeIncidents: Type.Optional(Type.Array(InstatusIncident, { maxItems: 1_000 })),
  activeMaintenances: Type.Optional(Type.Array(Type.Object({ name: Text }), { maxItems: 1_000 })),
})

const INSTATUS_PAGE: Record<string, Indicator> = {
  UP: 'none',
  HASISSUES: 'minor',
  UNDERMAINTENANCE: 'maintenance',
}
const INSTATUS_IMPACT: Record<string, Indicator> = {
  OPERATIONAL: 'none',
  DEGRADEDPERFORMANCE: 'minor',
  MINOROUTAGE: 'minor',
  PARTIALOUTAGE: 'major',
  MAJOROUTAGE: 'critical',
}

const WITHOUT_INCIDENT: Partial<Record<Indicator, string>> = {
  none: 'All systems operational',
  maintenance: 'Under maintenance',
}

export const INSTATUS = adapter({
  name: 'instatus',
  path: '/summary.json',
  schema: InstatusSummary,
  says({ page, activeIncidents = [], activeMaintenances = [] }) {
    const overall = translated(INSTATUS_PAGE, page.status)
    const impacts = activeIncidents.map(({ impact }) => translated(INSTATUS_IMPACT, impact ?? ''))
    const indicator =
      page.status === 'HASISSUES'
        ? worstIndicator([overall, ...impacts.filter((impact) => impact !== 'unknown')])
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

const BetterStackPage = Type.Object({
  data: Type.Object({
    type: Type.Literal('status_page'),
    attributes: Type.Object({
      aggregate_state: Text,
      announcement: Type.Optional(Type.Union([Text, Type.Null()])),
    }),
  }),
})

const BETTER_STACK_STATES: Record<string, Indicator> = {
  operational: 'none',
  degraded: 'minor',
  downtime: 'critical',
  maintenance: 'maintenance',
}
const BETTER_STACK_NAMES: Record<string, string> = {
  operational: 'All services are online',
  degraded: 'Some services are degraded',
  downtime: 'Some services are down',
  maintenance: 'Under maintenance',
}

/** Better Stack, once Better Uptime. */
export const BETTER_STACK = adapter({
  name: 'better-stack',
  path: '/index.json',
  schema: BetterStackPage,
  says({ data: { attributes } }) {
    const { aggregate_state: state, announcement } = attributes
    const name = Object.hasOwn(BETTER_STACK_NAMES, state) ? BETTER_STACK_NAMES[state] : undefined
    return {
      indicator: translated(BETTER_STACK_STATES, state),
      summary: headline(announcement, name, state),
    }
  },
})

const NamedObject = Type.Object({ name: Text })
const IncidentIoIncident = Type.Object({ name: Text, current_worst_impact: Type.Optional(Text) })

const IncidentIoSummary = Type.Object({
  ongoing_incidents: Type.Array(IncidentIoIncident, { maxItems: 1_000 }),
  in_progress_maintenances: Type.Array(NamedObject, { maxItems: 1_000 }),
})

const INCIDENT_IO_IMPACT: Record<string, Indicator> = {
  operational: 'none',
  degraded_performance: 'minor',
  partial_outage: 'major',
  full_outage: 'critical',
}

/** The widget API of incident.io, for pages that do not answer like Statuspage. */
export const INCIDENT_IO = adapter({
  name: 'incident-io',
  path: '/api/v1/summary',
  schema: IncidentIoSummary,
  says({ ongoing_incidents: incidents, in_progress_maintenances: maintenances }) {
    const impacts = incidents.map((one) =>
      translated(INCIDENT_IO_IMPACT, one.current_worst_impact ?? ''),
    )
    const calm = maintenances.length > 0 ? 'maintenance' : 'none'
    return {
      indicator: incidents.length > 0 ? worstIndicator(impacts) : calm,
      summary: headline(incidents[0]?.name, maintenances[0]?.name, 'All systems operational'),
    }
  },
})

const CACHET_WORDS: Record<string, Indicator> = {
  operational: 'none',
  partial_outage: 'major',
  major_outage: 'critical',
  under_maintenance: 'maintenance',
  // Of version 2.
  success: 'none',
  info: 'minor',
  danger: 'major',
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
    return { indicator: translated(CACHET_WORDS, status), summary: headline(label, status) }
  },
})

/** Cachet 2. */
export const CACHET_2 = adapter({
  name: 'cachet-2',
  path: '/api/v1/status',
  schema: Type.Object({ data: Type.Object({ status: Text, message: Text }) }),
  says({ data: { status, message } }) {
    return { indicator: translated(CACHET_WORDS, status), summary: headline(message, status) }
  },
})

const StatusIoOverall = Type.Object({
  status: Type.String({ maxLength: 10_000 }),
  status_code: Type.Integer(),
})

const STATUS_IO_CODES: Record<string, Indicator> = {
  // Operational, planned maintenance, degraded performance.
  100: 'none',
  200: 'maintenance',
  300: 'minor',
  // Partial service disruption, service disruption, security event.
  400: 'major',
  500: 'critical',
  600: 'critical',
}

/** Status.io: its pages contain an id, and one API answers for all of them. */
export const STATUS_IO = adapter({
  name: 'status-io',
  // The whole address is known once the id is.
  path: '',
  schema: Type.Object({ result: Type.Object({ status_overall: StatusIoOverall }) }),
  says({ result: { status_overall: overall } }) {
    const { status, status_code: code } = overall
    return {
      indicator: translated(STATUS_IO_CODES, String(code)),
      summary: headline(status, String(code)),
    }
  },
})

/** The id in the page of a vendor. */
export function statusIoId(html: string): string | undefined {
  const [, id] = /\bpageId\b["']?\s{0,9}[:=]\s{0,9}["']([0-9a-f]{24})["']/i.exec(html) ?? []
  return id?.toLowerCase()
}
