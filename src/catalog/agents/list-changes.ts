import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../platform/schema.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { changesByTool, publishedChanges } from '../feeds/changes-by-tool.ts'
import { shownAddress } from '../feeds/markdown/shown-text.ts'
import { tokensAtMost } from '../feeds/markdown/token-bound.ts'
import { CHANGE_KINDS, type ChangeItem, splitChanges } from '../records/change.ts'
import { closed, countField, day } from '../records/words.ts'
import { findRecord } from './find-record.ts'
import { cursorAt, listIdOf, offsetOf, pageSummary } from './list-cursor.ts'
import {
  AboutAnswer,
  aboutAnswer,
  answerText,
  fittingItems,
  quotedWord,
  quoteRecord,
} from './quoted.ts'
import { catalogTool } from './tool.ts'

/** The largest answer, in tokens. */
export const CHANGES_TOKENS = 1_500
const NAME_TOKENS = 16
const WHAT_TOKENS = 60
const SOURCE_TOKENS = 60

const Input = closed({
  tool: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Slug; all tools without it.' }),
  ),
  kind: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 10,
      description: `Any of ${CHANGE_KINDS.join(', ')}.`,
    }),
  ),
  when: Type.Optional(oneOf(['all', 'upcoming', 'recent'], { default: 'all' })),
  since: Type.Optional(day('Changes that take effect on this day or later.')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 8 })),
  cursor: Type.Optional(Type.String({ maxLength: 20, description: '"next" of the call before.' })),
})

const Change = closed({
  id: Type.String(),
  date: Type.String(),
  exactTo: Type.Optional(Type.String({ description: 'Where the day is not known.' })),
  kind: Type.String(),
  tool: Type.String(),
  status: Type.String(),
  source: Type.Optional(Type.String()),
  quoted: closed({
    name: Type.String(),
    what: Type.String(),
    replacement: Type.Optional(Type.String()),
  }),
})

const Output = closed({
  said: Type.String({ description: 'How much of the result is shown.' }),
  today: Type.String({ description: 'What upcoming and recent are counted from.' }),
  total: countField('Changes that fit.'),
  next: Type.Optional(Type.String({ description: 'Cursor of the next page.' })),
  changes: Type.Array(Change),
  about: AboutAnswer,
})

export const LIST_CHANGES = catalogTool({
  name: 'list_changes',
  title: 'List changes of tools',
  description: [
    'Dated shutdowns, breaking changes, renames, price changes and notices: those to come first, soonest first, then those that were, newest first.',
    'Look before you depend on a tool, or with since after a while away. source is where it was announced.',
  ].join(' '),
  inputSchema: Input,
  outputSchema: Output,
  answer: list,
})

function list(input: Static<typeof Input>, snapshot: CatalogSnapshot): Static<typeof Output> {
  const { limit = 8, cursor, ...filters } = input
  const matches = changesOf(filters, snapshot)
  const own = listIdOf(snapshot, filters)
  const from = offsetOf(cursor, own)
  const total = matches.length
  const written = (changes: Static<typeof Change>[]) => {
    const end = from + changes.length
    const next = end < total ? cursorAt(end, own) : undefined
    const summary = pageSummary(changes.length, from, total, next)
    const { today } = snapshot
    return {
      said: summary,
      today,
      total,
      ...(next ? { next } : {}),
      changes,
      about: aboutAnswer(snapshot),
    }
  }
  const some = matches.slice(from, from + limit)
  const around = tokensAtMost(answerText(written([]))) + AROUND_TOKENS
  return written(fittingItems(some.values().map(changeOf), CHANGES_TOKENS - around))
}

// Room for a longer count of what is shown.
const AROUND_TOKENS = 8

type ChangeFilters = Omit<Static<typeof Input>, 'limit' | 'cursor'>

function changesOf(
  { tool, kind, when = 'all', since = '' }: ChangeFilters,
  snapshot: CatalogSnapshot,
) {
  const all = tool
    ? (changesByTool(snapshot).get(findRecord(snapshot, tool).slug) ?? [])
    : publishedChanges(snapshot)
  const { recent, upcoming } = splitChanges([...all], snapshot.today)
  const ordered = [...(when === 'recent' ? [] : upcoming), ...(when === 'upcoming' ? [] : recent)]
  return ordered.filter((one) => one.date >= since && (!kind || kind.includes(one.kind)))
}

function changeOf(change: ChangeItem): Static<typeof Change> {
  const { id, date, kind, tool, status, datePrecision } = change
  const source = shownAddress(change.source)
  return {
    id,
    date,
    ...(datePrecision === 'day' ? {} : { exactTo: quotedWord(datePrecision) }),
    kind: quotedWord(kind),
    tool,
    status: quotedWord(status),
    ...(source && tokensAtMost(source) <= SOURCE_TOKENS ? { source } : {}),
    quoted: {
      name: quoteRecord(change.name, NAME_TOKENS),
      what: quoteRecord(change.what, WHAT_TOKENS),
      ...(change.replacement ? { replacement: quoteRecord(change.replacement, NAME_TOKENS) } : {}),
    },
  }
}
