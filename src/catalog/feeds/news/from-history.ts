import type { GradeHistoryItem } from '../../records/grading.ts'
import type { ToolHistory } from '../../records/history.ts'
import type { ToolChange, ToolListChange } from '../../records/tool-changes.ts'
import { startOfDay } from '../calendar/feed-entries.ts'
import type { Draft } from './item.ts'

/**
 * What changed in a tool, oldest first. A value is compared with the last one that was known: what
 * is not known is no change.
 */
export function historyNews(name: string, history: ToolHistory): Draft[] {
  return [
    ...history.toolLists.flatMap((list) => toolListNews(name, list)),
    ...priceNews(name, history.prices),
    ...paidNews(name, history.paidPrices),
    ...gradeNews(name, history.scores),
    ...versionNews(name, history.versions),
  ]
}

function toolListNews(name: string, { at, changes }: ToolListChange): Draft[] {
  if (changes.length === 0) return []
  const breaking = changes.some((change) => change.breaking === true)
    ? true
    : changes.some((change) => change.breaking === null)
      ? null
      : false
  const title = `${name}: tools of its list: ${countsOf(changes)}; ${BREAKS.get(breaking)}`
  return [{ subject: ['tools', at], state: '', kind: 'tools', breaking, at, title }]
}

const BREAKS: ReadonlyMap<boolean | null, string> = new Map([
  [true, 'calls may fail'],
  [false, 'calls still work'],
  [null, 'whether calls fail is not known'],
])

function countsOf(changes: readonly ToolChange[]): string {
  const counts = (['came', 'went', 'changed'] as const).map((kind) => {
    const number = changes.filter((change) => change.kind === kind).length
    return number === 0 ? '' : `${number} ${kind}`
  })
  return counts.filter(Boolean).join(', ')
}

function priceNews(name: string, steps: ToolHistory['prices']): Draft[] {
  return changesOf(
    steps.flatMap(({ at, item, unit, before, after }) =>
      [before, after].map((value) => ({ at, key: ['price', item, unit], value })),
    ),
  ).map(({ at, key, was, is }) => ({
    ...{ subject: key, state: at, kind: 'price' as const, at },
    title: `${name}: ${key[1]}: $${is} per ${key[2]} instead of $${was}`,
  }))
}

function paidNews(name: string, steps: ToolHistory['paidPrices']): Draft[] {
  return changesOf(
    steps.map(({ at, url, network, asset, usd }) => ({
      at,
      key: ['paid', url, network, asset],
      value: usd,
    })),
  ).map(({ at, key, was, is }) => ({
    ...{ subject: key, state: at, kind: 'price' as const, at },
    title: `${name}: a call of ${key[1]} costs $${is} instead of $${was}`,
  }))
}

function gradeNews(name: string, items: readonly GradeHistoryItem[]): Draft[] {
  return changesOf(
    items.map(({ run, grade }, place) => ({
      at: startOfDay(run),
      key: ['grade'],
      value: grade,
      place,
    })),
  ).map(({ at, key, was, is, place }) => ({
    ...{ subject: key, state: String(place), kind: 'grade' as const, at },
    title: `${name}: grade ${is} instead of ${was}`,
  }))
}

function versionNews(name: string, steps: ToolHistory['versions']): Draft[] {
  return changesOf(
    steps.map(({ at, registry, name: pack, version }) => ({
      at,
      key: ['version', registry, pack],
      value: version,
    })),
  ).map(({ at, key, was, is }) => ({
    ...{ subject: key, state: at, kind: 'version' as const, at },
    title: `${name}: ${key[1]} ${key[2]} ${is} instead of ${was}`,
  }))
}

type Step = { at: string; key: string[]; value: string | number | null; place?: number }

/** The steps that differ from the last known value of their key. */
function changesOf<S extends Step>(steps: readonly S[]) {
  const last = new Map<string, string | number>()
  return steps.flatMap((step) => {
    const name = JSON.stringify(step.key)
    const was = last.get(name)
    const is = step.value
    if (is === null) return []
    last.set(name, is)
    return was === undefined || was === is ? [] : [{ ...step, was, is }]
  })
}
