import { type Static, Type } from '@sinclair/typebox'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { omitUndefined } from '../../platform/json.ts'
import { LIST_SIZE, pageFields } from '../../platform/paging.ts'
import { oneOf } from '../../platform/schema.ts'
import { AuditKind } from '../audit/model/audit.ts'
import { type AuditEntry, type AuditFilter, NO_FILTER } from '../audit/model/audit-entry.ts'
import { ShownNotification, shownNotification } from '../notifications/model/notification-views.ts'
import { ShownQuestion, shownQuestion } from '../questions/model/question-views.ts'
import { personRoute, type Route, withDeps } from '../rest/route.ts'
import { type ActivityItem, readActivity } from './read-activity.ts'
import { exportAudit, readAudit, TRAIL_SIZE } from './read-audit.ts'

/** The columns of an export, in order. */
const AUDIT_COLUMNS = [
  'at',
  'kind',
  'agent',
  'tokenId',
  'token',
  'sessionId',
  'machineId',
  'personId',
  'person',
  'source',
  'subjectId',
  'subject',
  'deviceId',
  'device',
  'outcome',
  'note',
  'id',
] as const satisfies ReadonlyArray<keyof AuditEntry>

const text = (description: string) => Type.Optional(Type.String({ description, maxLength: 200 }))
const instant = (description: string) =>
  Type.Optional(Type.String({ description, format: 'date-time' }))

const AuditQuery = Type.Object(
  {
    kind: Type.Optional(AuditKind),
    agent: text('The name of an agent, or the id of its token.'),
    person: text('The id of a person.'),
    session: text('A sessionId.'),
    from: instant('At or after this UTC time.'),
    to: instant('Before this UTC time.'),
    ...pageFields(TRAIL_SIZE),
    format: Type.Optional(
      oneOf(['json', 'csv', 'ndjson'], {
        description: 'json is a page; csv and ndjson (a JSON object a line) are all that matches.',
      }),
    ),
  },
  { additionalProperties: false },
)
type AuditQuery = Static<typeof AuditQuery>

const ShownEntry = Type.Object({
  ...Object.fromEntries(AUDIT_COLUMNS.map((name) => [name, Type.Optional(Type.String())] as const)),
  id: Type.String(),
  at: Type.String(),
  kind: AuditKind,
})
type ShownEntry = Static<typeof ShownEntry>

const getAudit = personRoute(
  {
    method: 'GET',
    path: '/audit',
    summary:
      'Who asked, what was delivered where, who answered; as a page, or all of it as a file.',
    input: AuditQuery,
    result: Type.Object({
      entries: Type.Array(ShownEntry),
      next: Type.Optional(Type.String()),
      lookedBackTo: Type.Optional(
        Type.String({
          format: 'date-time',
          description:
            'Set if the page is not full because very many entries did not match: those since then were read. `next` goes on.',
        }),
      ),
    }),
    files: ['text/csv', 'application/x-ndjson'],
    problems: ['malformed'],
  },
  async (deps: { db: Db; clock: Clock }, { person, input, request }) => {
    const filter = filterOf(input)
    const format = input.format ?? accepted(request)
    if (format !== 'json') {
      return file(format, exportAudit(deps, person, filter))
    }
    const { entries, next, lookedBackTo } = await readAudit(deps, person, filter, input)
    return omitUndefined({
      entries: entries.map(shownEntry),
      next,
      lookedBackTo: lookedBackTo === undefined ? undefined : isoTime(lookedBackTo),
    })
  },
)

function filterOf({ kind, agent, person, session, from, to }: AuditQuery): AuditFilter {
  return {
    ...NO_FILTER,
    kinds: kind && [kind],
    agent,
    personId: person,
    sessionId: session,
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
  }
}

function accepted({ headers }: Request): 'json' | 'csv' {
  return /\btext\/csv\b/.test(headers.get('accept') ?? '') ? 'csv' : 'json'
}

function shownEntry(entry: AuditEntry): ShownEntry {
  const fields = Object.entries(entry).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(fields), at: isoTime(entry.at) } as ShownEntry
}

const FILES = {
  csv: { type: 'text/csv; charset=utf-8', head: csvHeader, line: csvLine },
  ndjson: {
    type: 'application/x-ndjson',
    head: () => '',
    line: (entry: AuditEntry) => `${JSON.stringify(shownEntry(entry))}\n`,
  },
}

/** The whole export, written as fast as it is read; reading ends when the caller hangs up. */
function file(format: keyof typeof FILES, entries: AsyncGenerator<AuditEntry>): Response {
  const { type, head, line } = FILES[format]
  const encoder = new TextEncoder()
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(head())),
    async pull(controller) {
      let piece = ''
      while (piece.length < PIECE_CHARS) {
        const { value, done } = await entries.next()
        if (done) {
          if (piece) controller.enqueue(encoder.encode(piece))
          controller.close()
          return
        }
        piece += line(value)
      }
      controller.enqueue(encoder.encode(piece))
    },
    async cancel() {
      await entries.return(undefined)
    },
  })
  const headers = {
    'content-type': type,
    'content-disposition': `attachment; filename="beckon-audit.${format}"`,
    'cache-control': 'no-store',
  }
  return new Response(body, { headers })
}

const PIECE_CHARS = 16_384

/** The first line of a CSV export (RFC 4180). */
function csvHeader(): string {
  return `${AUDIT_COLUMNS.join(',')}\r\n`
}

export function csvLine(entry: AuditEntry): string {
  const cells = AUDIT_COLUMNS.map((name) =>
    cell(name === 'at' ? isoTime(entry.at) : (entry[name] ?? '')),
  )
  return `${cells.join(',')}\r\n`
}

// Spreadsheets run cells that begin like this as formulas; full-width signs too.
const FORMULA = /^[\s\0]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const ShownItem = Type.Union([
  Type.Object({ kind: Type.Literal('question'), question: ShownQuestion }),
  Type.Object({ kind: Type.Literal('notification'), notification: ShownNotification }),
])

const getActivity = personRoute(
  {
    method: 'GET',
    path: '/activity',
    summary: 'Questions and notifications, newest first.',
    input: Type.Object(pageFields(LIST_SIZE), { additionalProperties: false }),
    result: Type.Object({ items: Type.Array(ShownItem), next: Type.Optional(Type.String()) }),
    problems: ['malformed'],
  },
  async (deps: { db: Db; clock: Clock }, { person, input }) => {
    const { items, next } = await readActivity(deps, person, input)
    const itemViews = items.map((item) => shownItem(item, deps.clock.now()))
    return next === undefined ? { items: itemViews } : { items: itemViews, next }
  },
)

function shownItem(item: ActivityItem, now: number): Static<typeof ShownItem> {
  return item.kind === 'question'
    ? { kind: 'question', question: shownQuestion(item.question, now) }
    : { kind: 'notification', notification: shownNotification(item.notification) }
}

export function auditRoutes(deps: { db: Db; clock: Clock }): Route[] {
  return withDeps(deps, [getActivity, getAudit])
}
