import { daysBetween } from '../../grading/gates.ts'
import { type ChangeItem, lastDayOf } from '../../records/change.ts'
import type { NewsKind } from '../../records/news.ts'
import { changedOn, changeTitle, changeUuid, startOfDay } from '../calendar/feed-entries.ts'
import { dayAfter } from '../calendar/ics.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import type { Draft } from './item.ts'

type Times = Pick<CatalogSnapshot, 'settings' | 'today'>

// An end is told when it is announced and again when it is so near; a break once more.
const STEPS: Partial<Record<NewsKind, readonly number[]>> = { ends: [7, 30, 90], breaking: [7] }
const SOON_DAYS = 90

/** What a dated change is today: announced, near, in effect or withdrawn. */
export function changeNews(change: ChangeItem, times: Times): Draft {
  const updated = changedOn(change, times)
  const { date, source, status } = change
  const kind = kindOf(change, updated)
  const about = { subject: changeUuid(change.id), source, date }
  const title = changeTitle(change)
  if (status === 'withdrawn') {
    const state = `withdrawn ${date}`
    return { ...about, state, kind: follows(kind), at: startOfDay(updated), title }
  }
  const last = lastDayOf(date, change.datePrecision)
  if (kind !== 'notice' && kind !== 'price' && last <= times.today) {
    const at = startOfDay(later(last, updated))
    if (kind === 'breaking')
      return { ...about, state: `now ${date}`, kind, breaking: true, at, title: `${title} (now)` }
    return { ...about, state: `ended ${date}`, kind: 'ended', at, title: `${title} (has ended)` }
  }
  const breaking = kind === 'breaking' ? { breaking: true } : {}
  const near = nearest(follows(kind), date, updated, times.today)
  if (near === undefined)
    return { ...about, state: date, kind, ...breaking, at: startOfDay(updated), title }
  const at = startOfDay(dayAfter(date, -near))
  const state = `${date} within ${near}`
  const words = `${title} (within ${near} days)`
  return { ...about, state, kind: follows(kind), ...breaking, at, title: words }
}

/** The kind of a change that has not come yet. */
function kindOf({ kind, endsPart, date }: ChangeItem, updated: string): NewsKind {
  if (kind === 'shutdown' || kind === 'removal' || endsPart !== undefined)
    return daysBetween(updated, date) > SOON_DAYS ? 'deprecated' : 'ends'
  return kind === 'breaking' || kind === 'price' ? kind : 'notice'
}

function follows(kind: NewsKind): NewsKind {
  return kind === 'deprecated' ? 'ends' : kind
}

/** The nearest step that came after the entry last changed. */
function nearest(kind: NewsKind, date: string, updated: string, today: string) {
  return STEPS[kind]?.find(
    (days) => daysBetween(today, date) <= days && daysBetween(updated, date) > days,
  )
}

function later(a: string, b: string): string {
  return a > b ? a : b
}
