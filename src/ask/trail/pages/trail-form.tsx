/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { AUDIT_KINDS } from '../../audit/model/audit.ts'
import { paths } from '../../pages/paths.ts'
import { kindName } from './trail-row.tsx'

/** The fields of the form; dates are days in UTC. */
export type TrailQuery = {
  kind: string
  agent: string
  person: string
  session: string
  since: string
  until: string
}

/** Filters the audit trail, and exports it as a file. */
export function TrailForm({ query, open }: { query: TrailQuery; open: boolean }) {
  return (
    <details class="trail" open={open}>
      <summary>
        <Icon name="chevron" />
        Filter and export
      </summary>
      <form action={paths.activity}>
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
        <Field name="since" label="From (UTC)" value={query.since} type="date" />
        <Field name="until" label="Until (inclusive)" value={query.until} type="date" />
        <input type="hidden" name="person" value={query.person} />
        <button type="submit" name="trail" value="1">
          Show
        </button>
        <p>
          All matching entries as <a href={exportPath(query, 'csv')}>CSV</a> or{' '}
          <a href={exportPath(query, 'ndjson')}>JSON</a>
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

const DAY_MS = 24 * 60 * 60 * 1_000
const DAY = /^\d{4}-\d\d-\d\d$/

/** The instants of a query; an invalid day counts as not given. */
export function spanOf({ since, until }: TrailQuery) {
  const day = (text: string) => (DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN)
  const [from, last] = [day(since), day(until)]
  return {
    from: Number.isNaN(from) ? undefined : from,
    to: Number.isNaN(last) ? undefined : last + DAY_MS,
  }
}

function exportPath(query: TrailQuery, format: 'csv' | 'ndjson'): string {
  const { from, to } = spanOf(query)
  const time = (at: number | undefined) => (at === undefined ? '' : new Date(at).toISOString())
  const { kind, agent, person, session } = query
  const parameters = { kind, agent, person, session, from: time(from), to: time(to), format }
  const pairs = Object.entries(parameters).filter(([, value]) => value !== '')
  return `/api/v1/audit?${new URLSearchParams(pairs)}`
}
