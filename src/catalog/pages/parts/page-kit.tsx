/** @jsxImportSource preact */
import { cleanLine } from '../../../platform/text.ts'
import { pageHref } from '../../page-paths.ts'
import { byPlace } from '../../records/fields/field.ts'
import { ALL_FIELDS } from '../../records/fields/fields.ts'
import type { PageKit } from '../../records/output-kits.ts'
import { dayWords, number, priceOf, shortNumber, wordFor } from '../words.ts'
import { Day, ExternalLink, FactRow } from './section.tsx'

/** What fields and facts of a record are shown with. */
export const PAGE_KIT: PageKit = {
  Fact: FactRow,
  Out: ExternalLink,
  Day,
  Words,
  number,
  shortNumber,
  dayWords,
  wordFor,
  priceOf,
}

/** The rows of the fields that a section of the page has, in order. */
export function fieldRows(section: 'glance' | 'facts') {
  const rows = ALL_FIELDS.flatMap(({ page }) =>
    page && page.section !== 'elsewhere' && page.section === section ? [page] : [],
  )
  return byPlace(rows)
}

function Words({ filter, words }: Parameters<PageKit['Words']>[0]) {
  return (
    <span class="words">
      {words.map((one) => (
        <a href={pageHref.tools({ [filter]: one })}>{cleanLine(one)}</a>
      ))}
    </span>
  )
}
