/** @jsxImportSource preact */
import { cleanLine } from '../../../platform/text.ts'
import { pageHref } from '../../page-paths.ts'
import { byPlace } from '../../records/fields/field.ts'
import { ALL_FIELDS } from '../../records/fields/fields.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { takesX402 } from '../../records/x402.ts'
import { contextOf, priceOf, scoreWords, shortNumber, toolName } from '../words.ts'
import { Grade, gradeOf, LiveDot, X402Mark } from './marks.tsx'
import { PAGE_KIT } from './page-kit.tsx'

const ROW_FACTS = byPlace(ALL_FIELDS.flatMap(({ row }) => (row ? [row] : [])))

/**
 * One tool in the directory, with the facts that people choose by; the whole row links to its page.
 * For an ended tool the end replaces the price, and what cannot be used any more is left out.
 */
export function ToolRow({ tool, ended }: { tool: ToolDetail; ended: string | undefined }) {
  const { catalog } = tool
  const [name, vendor] = [toolName(tool), cleanLine(tool.vendor)]
  return (
    <li class={ended ? 'tool ended' : 'tool'}>
      <Grade grade={gradeOf(catalog)} />
      <div class="tool-main">
        <p class="tool-title">
          <a class="tool-name" href={pageHref.tool(tool.slug)} data-move>
            <bdi>{name}</bdi>
          </a>{' '}
          {vendor !== name && <bdi class="tool-vendor">{vendor}</bdi>}
        </p>
        <p class="tool-summary" dir="auto">
          {cleanLine(tool.summary)}
        </p>
      </div>
      <ul class="tool-facts">
        <li class="tool-price" dir="auto">
          {ended ?? priceOf(tool)}
        </li>
        {!ended && <Facts tool={tool} />}
      </ul>
      <span class="tool-score number">
        {catalog.score === null ? (
          <span class="unseen">No score yet</span>
        ) : (
          <>
            <span class="unseen">Score </span>
            {scoreWords(catalog.score)}
          </>
        )}
      </span>
      <label class="pick">
        <input type="checkbox" form="compare" name="tools" value={tool.slug} />
        <span class="unseen">Compare {name}</span>
      </label>
    </li>
  )
}

function Facts({ tool }: { tool: ToolDetail }) {
  return (
    <>
      {takesX402(tool.x402) && (
        <li>
          <X402Mark x402={tool.x402} />
        </li>
      )}
      {rowFacts(tool).map((text) => (
        <li dir="auto">{text}</li>
      ))}
      {tool.live.probe && (
        <li>
          <LiveDot tool={tool} />
        </li>
      )}
    </>
  )
}

/** The facts of a row that are words alone. */
export function rowFacts(tool: ToolDetail): string[] {
  const context = contextOf(tool)
  return [
    ...(context === undefined ? [] : [`${shortNumber(context)} tokens of context`]),
    ...ROW_FACTS.flatMap(({ text }) => text(tool, PAGE_KIT) ?? []),
  ]
}
