import { Type } from '@sinclair/typebox'
import { adapter, headline, type Indicator, translated } from './adapter.ts'

const Overall = Type.Object({
  status: Type.String({ maxLength: 10_000 }),
  status_code: Type.Integer(),
})

const CODES: Record<string, Indicator> = {
  // Operational, planned maintenance, degraded performance.
  ...{ 100: 'none', 200: 'maintenance', 300: 'minor' },
  // Partial service disruption, service disruption, security event.
  ...{ 400: 'major', 500: 'critical', 600: 'critical' },
}

/** Status.io: its pages carry an id, under which one API answers for all of them. */
export const STATUS_IO = adapter({
  name: 'status-io',
  // All of the address is known once the id is.
  path: '',
  schema: Type.Object({ result: Type.Object({ status_overall: Overall }) }),
  says({ result: { status_overall: overall } }) {
    const { status, status_code: code } = overall
    return { indicator: translated(CODES, String(code)), summary: headline(status, String(code)) }
  },
})

/** The id that the page of a vendor carries. */
export function statusIoId(html: string): string | undefined {
  const [, id] = /\bpageId\b["']?\s{0,9}[:=]\s{0,9}["']([0-9a-f]{24})["']/i.exec(html) ?? []
  return id?.toLowerCase()
}
