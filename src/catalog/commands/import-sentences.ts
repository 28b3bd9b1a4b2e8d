import { cleanLine } from '../../platform/text.ts'
import { type MergeConflict, UNSORTED } from '../importers/merge-facts.ts'
import type { ImportReport } from '../importers/report.ts'
import { plural } from '../pages/words.ts'

// The rest is in the report.
const SHOWN = 10

/** Describes what an import did, for the person who ran it. */
export function importSentences(report: ImportReport): string[] {
  const { counts, dryRun, importer, licences, conflicts, wrong } = report
  const { records, made: created, changed, same, kept: unchanged, skipped, changes } = counts
  const retractedFields = report.changed.flatMap(({ path, fields }) =>
    fields.filter(({ to }) => isTakenBack(to)).map(({ field, from }) => ({ path, field, from })),
  )
  const numbers = [
    `${created} made`,
    `${changed} changed`,
    `${same} as they were`,
    ...(unchanged ? [`${unchanged} left alone`] : []),
    ...(skipped ? [`${skipped} skipped`] : []),
    ...(changes ? [`${plural(changes, 'dated change')}`] : []),
  ]
  const head = `${dryRun ? 'This would be' : 'Imported'} ${plural(records, 'record')} (${importer}): ${numbers.join(', ')}.`
  return [
    head,
    ...(licences.length > 0 ? [`Licence of the source: ${licences.join('; ')}`] : []),
    ...some(
      conflicts.toSorted(factsFirst),
      (n) => `${n === 1 ? 'differs' : 'differ'} from the catalog, which was kept:`,
      (it) => {
        return `${it.path} ${it.field}: ${short(it.curated)} here, ${short(it.imported)} at ${it.importedSource}`
      },
    ),
    ...some(
      retractedFields,
      (n) =>
        `${n === 1 ? 'was' : 'were'} taken back, since the source does not show ${n === 1 ? 'it' : 'them'}:`,
      (it) => {
        return `${it.path} ${it.field}: was ${short(it.from)}`
      },
    ),
    ...some(
      report.skipped,
      (n) => `${n === 1 ? 'was' : 'were'} skipped:`,
      ({ record, why }) => `${record}: ${why}`,
    ),
    ...some(
      wrong,
      (n) => `${n === 1 ? 'value' : 'values'} could not be taken:`,
      (it) => {
        const place = it.record ? `${it.file}, record ${it.record}` : it.file
        return `${place}${it.field ? `, ${it.field}` : ''}: expected ${it.expected}, found ${it.found}`
      },
    ),
  ]
}

/** The value was replaced by a word for "not known", or by nothing. */
function isTakenBack(to: unknown): boolean {
  return to === null || to === 'unknown' || to === UNSORTED
}

const WORDING = new Set(['name', 'summary', 'tags'])

/** Names and summaries always differ; conflicts about facts are worth a look. */
function factsFirst(a: MergeConflict, b: MergeConflict): number {
  const isWording = ({ field }: MergeConflict) => (WORDING.has(field) ? 1 : 0)
  return isWording(a) - isWording(b)
}

function some<T>(
  list: readonly T[],
  what: (count: number) => string,
  say: (item: T) => string,
): string[] {
  if (list.length === 0) return []
  const more =
    list.length > SHOWN ? [`  … and ${list.length - SHOWN} more; --report lists them all`] : []
  return [
    `${list.length} ${what(list.length)}`,
    ...list.slice(0, SHOWN).map((it) => `  ${cleanLine(say(it))}`),
    ...more,
  ]
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
