import { cutText } from '../../platform/text.ts'
import { endedBy } from '../records/grading.ts'
import type { ToolDetail } from '../records/tool.ts'
import { takesX402 } from '../records/x402.ts'
import type { FeedModule } from './built-site.ts'
import { xmlLine } from './markdown/shown-text.ts'

export const SVG_TYPE = 'image/svg+xml'
const LETTER = 6.6
const PADDING = 8
const NAME_MOST = 30
// Readable on light and on dark pages.
const COLOURS = { good: '#2e6b3f', bad: '#9c2f22', plain: '#4f4a45' }

type State = { words: string[]; tone: keyof typeof COLOURS }

/** `/tools/SLUG.svg`: a badge for pages of others. It has no scripts and loads nothing. */
export const BADGES: FeedModule = {
  *build(snapshot) {
    for (const tool of snapshot.tools) {
      const body = () => badge(tool)
      yield { path: `/tools/${tool.slug}.svg`, type: SVG_TYPE, body }
    }
  },
}

function badge(tool: ToolDetail): string {
  const name = cutText(tool.name, NAME_MOST)
  const { words: parts, tone } = stateOf(tool)
  const words = parts.join(' · ')
  const [left, right] = [widthOf(name), widthOf(words)]
  const text = (at: number, part: string) =>
    `<text x="${at}" y="14" fill="#fff" text-anchor="middle">${xmlLine(part)}</text>`
  const label = xmlLine(`${name}: ${words}`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}"><title>${label}</title><rect width="${left}" height="20" fill="#2a2623"/><rect x="${left}" width="${right}" height="20" fill="${COLOURS[tone]}"/><g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(left / 2, name)}${text(left + right / 2, words)}</g></svg>\n`
}

/** What matters most: that it ended, then its grade, uptime and payments per call. */
export function stateOf(tool: ToolDetail): State {
  const ended = endedBy(tool.catalog)
  if (ended) return { words: [ended.code === 'withdrawn' ? 'withdrawn' : 'shut down'], tone: 'bad' }
  const { grade } = tool.catalog
  const { uptime30d, lastOk } = tool.live.probe ?? {}
  const words = [
    grade === null ? 'not graded yet' : `grade ${grade}`,
    ...(lastOk === false ? ['down'] : []),
    ...(typeof uptime30d === 'number' ? [`${uptime30d} % up`] : []),
    ...(takesX402(tool.x402) ? ['x402'] : []),
  ]
  const tone = lastOk === false ? 'bad' : grade?.startsWith('A') ? 'good' : 'plain'
  return { words, tone }
}

function widthOf(text: string): number {
  return Math.ceil([...text].length * LETTER) + 2 * PADDING
}
