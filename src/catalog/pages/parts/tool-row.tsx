/** @jsxImportSource preact */
import { cleanLine } from '../../../platform/text.ts'
import { pageHref } from '../../page-paths.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { priceOf, scoreWords, toolName } from '../words.ts'
import { Grade, gradeOf } from './grade.tsx'
import { LiveDot, X402Mark } from './marks.tsx'

/** One tool in the directory; the whole row leads to its page. One that is over says so in place of its price. */
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
      <p class="tool-facts">
        <span class="tool-cost">
          <span class="tool-price" dir="auto">
            {ended ?? priceOf(tool)}
          </span>
          {!ended && <X402Mark x402={tool.x402} />}
        </span>
        {!ended && tool.live.probe && <LiveDot live={tool.live} />}
      </p>
      <span class="tool-score number">
        {catalog.score === null ? (
          <span class="unseen">No score yet</span>
        ) : (
          scoreWords(catalog.score)
        )}
      </span>
      <label class="pick">
        <input type="checkbox" form="compare" name="tools" value={tool.slug} />
        <span class="unseen">Compare {name}</span>
      </label>
    </li>
  )
}
