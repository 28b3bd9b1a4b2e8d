/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { cutText } from '../../../platform/text.ts'
import { Empty } from '../../../platform/web/page-parts.tsx'
import { html } from '../../../platform/web/respond.ts'
import { AUDIT_KINDS, type AuditKind, USUAL_KINDS } from '../../audit/model/audit.ts'
import type { AuditFilter } from '../../audit/model/audit-entry.ts'
import { Layout } from '../../pages/layout.tsx'
import { type Page, pagesWith, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { AtTime } from '../../pages/time.tsx'
import type { SignedIn } from '../../pages/visit.ts'
import type { SubjectId } from '../../wire/ids.ts'
import { readAudit, readTrails } from '../read-audit.ts'
import { FoldedRow } from './folded-row.tsx'
import { spanOf, TrailForm, type TrailQuery } from './trail-form.tsx'
import { TrailRow } from './trail-row.tsx'

type Deps = { db: Db; clock: Clock }

const ROWS = 30
const FIELD_MAX = 200

/** Reads the query of the audit trail from the address; without fields, everything. */
function readTrailQuery({ searchParams }: URL): TrailQuery {
  const field = (name: string) => cutText((searchParams.get(name) ?? '').trim(), FIELD_MAX)
  return {
    kind: field('kind'),
    agent: field('agent'),
    person: field('person'),
    session: field('session'),
    since: field('since'),
    until: field('until'),
  }
}

/** `/audit`: the audit trail, filtered by the form. */
async function showTrail(deps: Deps, visit: SignedIn): Promise<Response> {
  const query = readTrailQuery(visit.url)
  const cursor = visit.url.searchParams.get('after') ?? undefined
  const filter = filterOf(query, visit)
  const page = await readAudit(deps, visit.person, filter, { cursor, limit: ROWS })
  const folded = isFolded(query)
    ? page.entries.flatMap(({ subjectId }) => subjectOf(subjectId))
    : []
  const trails = await readTrails(deps, visit.person, folded)
  return html(
    <Layout visit={visit} title="Audit trail" section="audit">
      <div class="page-head">
        <h1>Audit trail</h1>
        <p class="sub">Who asked, what was delivered where, who answered. Nobody can change it.</p>
        <TrailForm query={query} zone={visit.moment.zone} />
      </div>
      <ul class="rows">
        {page.entries.map((entry) => {
          const trail = FOLDED.has(entry.kind) && trails.get(entry.subjectId ?? '')
          return trail ? (
            <FoldedRow first={entry} trail={trail} moment={visit.moment} />
          ) : (
            <TrailRow entry={entry} moment={visit.moment} />
          )
        })}
      </ul>
      {page.lookedBackTo !== undefined && (
        <p class="soft" role="status">
          {page.entries.length === 0 ? 'Nothing like that' : 'Nothing more like that'} since{' '}
          <AtTime at={page.lookedBackTo} moment={visit.moment} />. What is older was not looked
          through yet.
        </p>
      )}
      {page.entries.length === 0 && !page.next && (
        <Empty icon="search" title="Nothing like that happened">
          Use fewer filters, or <a href={paths.audit}>look at everything</a>
        </Empty>
      )}
      {page.next && (
        <p class="more">
          <a class="button" href={olderPage(query, page.next)}>
            Older
          </a>
        </p>
      )}
    </Layout>,
  )
}

/** The kinds of the rows that unfold. */
const FOLDED: ReadonlySet<AuditKind> = new Set(['question.opened', 'notification.sent'])
// These are in the rows of their questions and notifications.
const WITHIN = /^(message\.|question\.(?!opened))/
const ROW_KINDS = USUAL_KINDS.filter((kind) => !WITHIN.test(kind))

/** One row for each question and notification, unless certain entries are asked for. */
function isFolded({ kind, person }: TrailQuery): boolean {
  return kind === '' && person === ''
}

function subjectOf(id: string | undefined): SubjectId[] {
  return id?.startsWith('q_') || id?.startsWith('n_') ? [id as SubjectId] : []
}

function filterOf(query: TrailQuery, { moment }: SignedIn): AuditFilter {
  const { kind, agent, person, session } = query
  const auditKind = AUDIT_KINDS.find((one) => one === kind) as AuditKind | undefined
  return {
    kinds: isFolded(query) ? ROW_KINDS : auditKind && [auditKind],
    agent: agent || undefined,
    personId: person || undefined,
    sessionId: session || undefined,
    ...spanOf(query, moment.zone),
  }
}

function olderPage(query: TrailQuery, next: string): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== '')
  return `${paths.audit}?${new URLSearchParams([...pairs, ['after', next]])}`
}

export function trailPages(deps: Deps): Page[] {
  return pagesWith(deps, [signedInPage('GET', paths.audit, showTrail)])
}
