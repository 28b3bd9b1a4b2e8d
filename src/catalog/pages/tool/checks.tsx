/** @jsxImportSource preact */
import { cleanLine } from '../../../platform/text.ts'
import { CHECKS } from '../../checks/propose.ts'
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import { proposalsOf } from '../../feeds/check-feeds.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { Day, SheetSection, SourceLink } from '../parts/section.tsx'
import { plural } from '../words.ts'

const ANSWERS = { yes: 'Yes', no: 'No', unknown: 'Not known' }
const QUESTIONS = new Map(CHECKS.map(({ key, question }) => [key, question]))

/** What checks saw, by criterion, beside the scores that count. */
export function ChecksSection({ snapshot, tool }: { snapshot: CatalogSnapshot; tool: ToolDetail }) {
  const proposals = proposalsOf(snapshot, tool).filter(({ results }) => results.length > 0)
  const all = proposals.flatMap(({ results }) => results)
  const answered = all.filter(({ answer }) => answer !== 'unknown').length
  const rows = new Map(tool.breakdown.map((row) => [row.key, row]))
  return (
    <SheetSection id="checks" title="What was checked">
      <p class="soft">
        {answered} of {plural(all.length, 'check')} have an answer. They propose scores; a person
        decides. <a href="/methodology#checks">What each of them shows</a>
      </p>
      {proposals.map(({ criterion, least, results }) => (
        <details class="checks">
          <summary>
            {cleanLine(rows.get(criterion)?.name ?? criterion)}:{' '}
            {least === null ? 'left to a person' : `at least ${least}`}
            {scoreWords(rows.get(criterion)?.score ?? null)}
          </summary>
          <ul class="bullets">
            {results.map(({ key, answer, summary, source, date }) => (
              <li dir="auto">
                {QUESTIONS.get(key)} <b>{ANSWERS[answer]}</b>. {cleanLine(summary)}{' '}
                <SourceLink to={source} />{' '}
                {date && (
                  <span class="soft">
                    <Day day={date} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </SheetSection>
  )
}

function scoreWords(score: number | null): string {
  return score === null ? ' · pending' : ` · scored ${score}`
}
