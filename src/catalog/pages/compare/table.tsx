/** @jsxImportSource preact */
import { Icon } from '../../../platform/web/icon.tsx'
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import { pageHref, pagePaths, withQuery } from '../../page-paths.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { Grade, gradeOf } from '../parts/marks.tsx'
import { toolName } from '../words.ts'
import { type ComparedRow, compareTools } from './rows.tsx'

type Props = { snapshot: CatalogSnapshot; tools: readonly ToolDetail[]; onlyDifferences: boolean }

/** The tools in columns and their facts in rows; a phone shows two columns and scrolls to others. */
export function ComparisonTable({ snapshot, tools, onlyDifferences }: Props) {
  const rows = compareTools(snapshot, tools)
  const differing = rows.filter(({ differs }) => differs)
  const visible = onlyDifferences ? differing : rows
  return (
    <>
      {tools.length > 1 && (
        <p class="compare-choice">
          {differing.length === 0
            ? 'Nothing that is known differs.'
            : `${differing.length} of ${rows.length} rows differ; the best value of a row is bold.`}{' '}
          <a href={choiceHref(tools, !onlyDifferences)}>
            {onlyDifferences ? 'Show all rows' : 'Show only what differs'}
          </a>
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached by keyboard */}
      <section class="compare-scroll" aria-label="Comparison" tabIndex={0}>
        <table class={`compare n${tools.length}`}>
          <thead>
            <tr>
              <td />
              {tools.map((tool) => (
                <ToolHead tool={tool} tools={tools} />
              ))}
            </tr>
          </thead>
          <tbody>
            {visible.map((row) => (
              <Row row={row} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function ToolHead({ tool, tools }: { tool: ToolDetail; tools: readonly ToolDetail[] }) {
  const others = tools.filter((one) => one !== tool).map(({ slug }) => slug)
  return (
    <th scope="col">
      {tools.some(({ graded }) => graded) && <Grade grade={gradeOf(tool.catalog)} />}
      <a class="compare-name" href={pageHref.tool(tool.slug)}>
        <bdi>{toolName(tool)}</bdi>
      </a>
      {others.length > 0 && (
        <a class="close" href={pageHref.compare(others)}>
          <Icon name="cross" />
          <span class="unseen">Without {toolName(tool)}</span>
        </a>
      )}
    </th>
  )
}

function Row({ row: { label, cells, differs } }: { row: ComparedRow }) {
  return (
    <tr class={differs ? 'unequal' : undefined}>
      <th scope="row">
        {label}
        {differs && <span class="unseen">, differs</span>}
      </th>
      {cells.map(({ value, missing, isBest }) => (
        <td dir="auto" class={isBest ? 'best' : undefined}>
          {value || <span class="soft">{missing}</span>}
          {isBest && <span class="unseen"> (best)</span>}
        </td>
      ))}
    </tr>
  )
}

function choiceHref(tools: readonly ToolDetail[], only: boolean): string {
  return withQuery(pagePaths.compare, {
    tools: tools.map(({ slug }) => slug).join(','),
    only: only ? 'differences' : '',
  })
}
