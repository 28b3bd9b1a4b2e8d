/** @jsxImportSource preact */
import { cleanLine } from '../../../platform/text.ts'
import { outside } from '../../page-paths.ts'
import type { ServedFinding } from '../../records/desk.ts'
import type { BreakdownItem } from '../../records/grading.ts'
import { Day, hostOf } from '../parts/section.tsx'
import { plural } from '../words.ts'

const DATED: Record<string, string> = { document: 'dated', copy: 'copy of' }

/** What documents show of each criterion, with their addresses, days and limits. */
export function Findings({ breakdown }: { breakdown: readonly BreakdownItem[] }) {
  const rows = breakdown.filter(({ findings = [] }) => findings.length > 0)
  if (rows.length === 0) return null
  return (
    <>
      <h3>What documents show</h3>
      {rows.map(({ name, score, findings = [] }) => (
        <details class="checks">
          <summary>
            {cleanLine(name)}: {plural(findings.length, 'finding')}
            {score === null ? ' · pending' : ` · scored ${score}`}
          </summary>
          <ul class="bullets">
            {findings.map((finding) => (
              <Finding finding={finding} />
            ))}
          </ul>
        </details>
      ))}
    </>
  )
}

function Finding({ finding }: { finding: ServedFinding }) {
  const { means, answer, says, url, date, dated, until, counts } = finding
  const to = outside(url)
  return (
    <li dir="auto">
      {cleanLine(means)} <b>{answer === 'yes' ? 'Yes' : 'No'}</b>. {cleanLine(says)}{' '}
      {to ? (
        <a href={to} rel="nofollow noopener">
          {hostOf(to)}
        </a>
      ) : null}{' '}
      <span class="soft">
        {date ? (
          <>
            {DATED[dated]} <Day day={date} />
          </>
        ) : (
          'day not known'
        )}
        , {counts ? 'counts until' : 'counted until'} <Day day={until} />
      </span>
    </li>
  )
}
