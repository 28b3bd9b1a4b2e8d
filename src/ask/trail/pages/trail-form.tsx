/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { AUDIT_KINDS } from '../../audit/model/audit.ts'
import { paths } from '../../pages/paths.ts'
import { dayAfter, dayStart } from '../../pages/times.ts'
import { kindName } from './trail-row.tsx'

/** The fields of the form; dates are days in the zone of the visitor. */
export type TrailQuery = {
  kind: string
  agent: string
  person: string
  session: string
  since: string
  until: string
}

/** Filters the audit trail, and exports it as a file. */
export function TrailForm({ query, zone }: { query: TrailQuery; zone: string }) {
  const isFiltered = Object.values(query).some((value) => value !== '')
  return (
    <details class="trail" open={isFiltered}>
      <summary>
        <Icon name="chevron" />
        {isFiltered ? 'Filtered' : 'Filter and export'}
      </summary>
      <form action={paths.audit}>
        <label>
          What happened
          <select name="kind">
            <option value="">Everything</option>
            {AUDIT_KINDS.map((kind) => (
              <option value={kind} selected={kind === query.kind}>
                {kindName(kind)}
              </option>
            ))}
          </select>
        </label>
        <Field name="agent" label="Agent" value={query.agent} />
        <Field name="session" label="Session" value={query.session} />
        <Field name="since" label="From" value={query.since} type="date" />
        <Field name="until" label="Until the end of" value={query.until} type="date" />
        <input type="hidden" name="person" value={query.person} />
        <button type="submit">Show</button>
        {isFiltered && (
          <a class="button" href={paths.audit}>
            Show all
          </a>
        )}
        <p>
          All matching entries as <a href={exportPath(query, zone, 'csv')}>CSV</a> or{' '}
          <a href={exportPath(query, zone, 'ndjson')}>JSON</a>
        </p>
      </form>
    </details>
  )
}

type FieldProps = { name: string; label: string; value: string; type?: 'text' | 'date' }

function Field({ name, label, value, type = 'text' }: FieldProps) {
  return (
    <label>
      {label}
      <input type={type} name={name} value={value} maxLength={200} autocomplete="off" />
    </label>
  )
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** The instants of a query; an invalid day counts as not given. */
export function spanOf({ since, until }: TrailQuery, zone: string) {
  const isDay = (text: string) => DAY.test(text) && !Number.isNaN(Date.parse(text))
  return {
    from: isDay(since) ? dayStart(since, zone) : undefined,
    to: isDay(until) ? dayStart(dayAfter(until), zone) : undefined,
  }
}

function exportPath(query: TrailQuery, zone: string, format: 'csv' | 'ndjson'): string {
  const { from, to } = spanOf(query, zone)
  const time = (at: number | undefined) => (at === undefined ? '' : new Date(at).toISOString())
  const { kind, agent, person, session } = query
  const parameters = { kind, agent, person, session, from: time(from), to: time(to), format }
  const pairs = Object.entries(parameters).filter(([, value]) => value !== '')
  return `/api/v1/audit?${new URLSearchParams(pairs)}`
}
