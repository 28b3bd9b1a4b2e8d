/** @jsxImportSource preact */

import { Icon } from '../../platform/web/icon.tsx'
import { EmptyBox } from '../../platform/web/page-parts.tsx'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { publishedChanges } from '../feeds/changes-by-tool.ts'
import { pageHref, pagePaths, withQuery } from '../page-paths.ts'
import { type ChangeItem, splitChanges } from '../records/change.ts'
import { CatalogLayout } from './layout.tsx'
import { ChangeList, TodayMark } from './parts/change-list.tsx'
import { PlainFilesNote } from './parts/plain-files-note.tsx'
import { pageText } from './render.ts'
import { number, plural, wordFor } from './words.ts'

// Older changes are in the feeds.
const RECENT_MOST = 60

/** Shutdowns, breaking changes, renames and prices: coming changes, today, and past ones. */
export function changesPage(snapshot: CatalogSnapshot, search?: URLSearchParams): string {
  const kinds = (search?.getAll('kind') ?? []).flatMap((kind) => kind.split(',')).filter(Boolean)
  const changes = publishedChanges(snapshot)
  const fitting = changes.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
  const { upcoming, recent } = splitChanges(fitting, snapshot.today)
  const what = kinds.length > 0 ? 'of this kind ' : ''
  const calendar = withQuery('/sunsets.ics', { kind: kinds.join(',') })
  return pageText(
    <CatalogLayout
      snapshot={snapshot}
      title="Changes"
      description={`Shutdowns, breaking changes, renames and new prices of ${plural(snapshot.tools.length, 'tool')}: ${number(upcoming.length)} to come.`}
      canonical={pagePaths.changes}
      section="changes"
      scripts={search ? [] : ['plain-files.js']}
      hidden={kinds.length > 0}
      alternates={[
        { type: 'application/atom+xml', href: '/changes.atom', title: 'Changes' },
        { type: 'application/feed+json', href: '/changes.feed.json', title: 'Changes' },
        { type: 'text/calendar', href: calendar, title: 'Changes as a calendar' },
        { type: 'application/json', href: '/api/v1/changes.json', title: 'Changes as JSON' },
      ]}
    >
      <div class="page-head">
        <h1>Changes</h1>
        <p class="sub">What ends, breaks, is renamed or costs more, with the page that says so.</p>
        <p class="subscribe">
          <a class="button small primary" href={asWebcal(snapshot.baseUrl + calendar)}>
            <Icon name="calendar" />
            Subscribe in a calendar
          </a>
          <a href={calendar}>.ics</a>
          <a href="/changes.atom">Atom</a>
          <a href="/changes.feed.json">JSON Feed</a>
        </p>
      </div>
      {!search && changes.length > 0 && (
        <PlainFilesNote>
          A copy of plain files has no server, which choosing a kind needs: this page has all kinds.
        </PlainFilesNote>
      )}
      {changes.length === 0 ? (
        <EmptyBox icon="calendar" title="No dated changes yet">
          <p>Shutdowns, breaking changes and new prices will appear here, with today marked.</p>
        </EmptyBox>
      ) : (
        <>
          <ChangeTimeline items={fitting} today={snapshot.today} />
          <Kinds changes={changes} picked={kinds} />
          <div class="times">
            <section aria-labelledby="upcoming">
              <h2 id="upcoming">
                To come <span class="count">{number(upcoming.length)}</span>
              </h2>
              {upcoming.length === 0 && <p class="soft">Nothing {what}is announced.</p>}
              <ChangeList items={upcoming} today={snapshot.today} />
            </section>
            <section aria-labelledby="recent">
              <TodayMark today={snapshot.today} />
              <h2 id="recent">
                So far <span class="count">{number(recent.length)}</span>
              </h2>
              {recent.length === 0 && <p class="soft">Nothing {what}has happened yet.</p>}
              <ChangeList items={recent.slice(0, RECENT_MOST)} today={snapshot.today} />
              {recent.length > RECENT_MOST && (
                <p class="soft">
                  Older ones are in <a href="/api/v1/changes.json">the feed</a>.
                </p>
              )}
            </section>
          </div>
        </>
      )}
    </CatalogLayout>,
  )
}

function Kinds({ changes, picked }: { changes: readonly ChangeItem[]; picked: string[] }) {
  const counts = new Map<string, number>()
  for (const { kind } of changes) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return (
    <ul class="chips" aria-label="Kinds">
      <li>
        <a
          class="chip-off"
          href={pagePaths.changes}
          aria-current={picked.length === 0 ? 'true' : undefined}
        >
          All <span class="count">{number(changes.length)}</span>
        </a>
      </li>
      {[...counts].map(([kind, count]) => (
        <li>
          <a
            class="chip-off"
            href={pageHref.changes({ kind })}
            aria-current={picked.includes(kind) ? 'true' : undefined}
          >
            {wordFor(kind)} <span class="count">{number(count)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The address that makes a calendar app subscribe instead of importing once. */
function asWebcal(address: string): string {
  return address.replace(/^https?:/, 'webcal:')
}

const MONTHS_BEFORE = 6
const MONTHS_AFTER = 12
const LABEL_EVERY = 3
const STEP = 40
const HEIGHT = 64
const BLOCK_MOST = 14

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' })

/**
 * Eighteen months at a glance: a column for each month, a block for each change, and a line for
 * today.
 */
function ChangeTimeline({ items, today }: { items: readonly ChangeItem[]; today: string }) {
  const months = monthsAround(today)
  const counts = months.map((month) => items.filter(({ date }) => date.startsWith(month)).length)
  const unit = Math.min(BLOCK_MOST, (HEIGHT - 4) / Math.max(...counts, 1))
  const now = (MONTHS_BEFORE + (Number(today.slice(8, 10)) - 1) / 31) * STEP
  const inside = counts.reduce((sum, count) => sum + count, 0)
  return (
    <figure class="time-line">
      <svg
        viewBox={`0 0 ${STEP * months.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {counts.map((count, month) => (
          <g>
            <title>{`${months[month]}: ${plural(count, 'change')}`}</title>
            {Array.from({ length: count }, (_, n) => (
              <rect
                class={month * STEP < now ? 'past' : 'ahead'}
                x={month * STEP + 2}
                y={HEIGHT - 1 - (n + 1) * unit}
                width={STEP - 4}
                height={Math.max(0.5, unit - 2)}
              />
            ))}
          </g>
        ))}
        <line class="axis" x1="0" x2={STEP * months.length} y1={HEIGHT} y2={HEIGHT} />
        <line class="now" x1={now} x2={now} y1="0" y2={HEIGHT} />
      </svg>
      <p class="months" aria-hidden="true">
        {months
          .filter((_, i) => i % LABEL_EVERY === 0)
          .map((month, i, all) => (
            <span>{monthWords(month, all[i - 1] ?? month)}</span>
          ))}
      </p>
      <figcaption class="unseen">
        {plural(inside, 'change')} from six months ago to a year from now, by month.
      </figcaption>
    </figure>
  )
}

/** The year is shown where it begins. */
function monthWords(month: string, before: string): string {
  const name = monthFormat.format(Date.parse(`${month}-01`))
  const year = month.slice(0, 4)
  return before.startsWith(year) ? name : `${name} ${year}`
}

function monthsAround(today: string): string[] {
  const year = Number(today.slice(0, 4))
  const month = Number(today.slice(5, 7)) - 1
  return Array.from({ length: MONTHS_BEFORE + MONTHS_AFTER }, (_, i) =>
    new Date(Date.UTC(year, month - MONTHS_BEFORE + i, 1)).toISOString().slice(0, 7),
  )
}
