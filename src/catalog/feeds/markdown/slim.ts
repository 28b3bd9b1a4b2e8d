import { cutText } from '../../../platform/text.ts'
import { upWord } from '../../facts/answers/fact.ts'
import { type ChangeItem, endedParts } from '../../records/change.ts'
import { byPlace, type RecordField, type SlimKit } from '../../records/fields/field.ts'
import { ALL_FIELDS } from '../../records/fields/fields.ts'
import { endedBy } from '../../records/grading.ts'
import { whyNotKnown } from '../../records/not-known.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { takesX402 } from '../../records/x402.ts'
import { creditLine } from '../meta.ts'
import { mdAddress, mdCode, mdText } from './escape.ts'
import { endpointLine } from './fact-lines.ts'
import { changeLine, type MarkdownAbout } from './full.ts'
import { gradeLine } from './grade-lines.ts'
import { factLine, joinedWords, usdAmount } from './lines.ts'
import { tokensAtMost } from './token-bound.ts'

/** The slim version. */
export const SLIM_TOKENS = 600
// The limits of single lines, so that none pushes out the others; the name and purpose come first.
const LINE_TOKENS = 70
const NAME_TOKENS = 30
const CREDIT_TOKENS = 45
const SUMMARY_TOKENS = 90
const ADDRESS_TOKENS = 110
const CHANGES = 3

/**
 * The record in at most 600 tokens. Head and foot are always there. The lines between them are
 * sorted by their use to an agent that has to choose; a line that does not fit is left out, and
 * shorter ones may follow. Texts are cut with a `…`. The foot points to the full version.
 */
export function slimMarkdown(
  tool: ToolDetail,
  changes: readonly ChangeItem[],
  about: MarkdownAbout,
): string {
  const head = `# ${cutTo(NAME_TOKENS, tool.name)}\n\n${cutTo(SUMMARY_TOKENS, tool.summary)}\n`
  const foot = footLines(tool, about)
  let room = SLIM_TOKENS - tokensAtMost(head) - tokensAtMost(foot) - 2
  const body: string[] = []
  const context = { changes, today: about.meta.generatedAt }
  for (const line of BODY_LINES.flatMap(({ linesOf }) => linesOf(tool, context))) {
    const size = tokensAtMost(line) + 1
    if (size > room) continue
    body.push(line)
    room -= size
  }
  return `${head}\n${body.join('\n')}\n\n${foot}\n`
}

type Context = { changes: readonly ChangeItem[]; today: string }
type Lines = { place: number; linesOf(tool: ToolDetail, context: Context): string[] }

const KIT: SlimKit = {
  text: (text) => cutTo(LINE_TOKENS, text),
  words: joinedWords,
  address: shortAddress,
}

const note = (text: string, before = '') => `- ${before}${cutTo(LINE_TOKENS, text)}`

/** The lines of the fields, and those that need more than a field. */
const BODY_LINES = byPlace<Lines>([
  { place: 10, linesOf: (tool) => factLine('Is', kindLine(tool)) },
  { place: 20, linesOf: (tool) => factLine('Grade', gradeLine(tool)) },
  {
    place: 30,
    linesOf: (tool, { changes, today }) =>
      factLine('Ended in part', partLine(tool, changes, today)),
  },
  { place: 40, linesOf: changeLines },
  { place: 50, linesOf: (tool) => factLine('Up', upLine(tool)) },
  { place: 90, linesOf: ({ connect }) => factLine('Install', shortCode(connect.install)) },
  { place: 100, linesOf: ({ connect }) => factLine('Claude Code', shortCode(connect.claudeCode)) },
  { place: 120, linesOf: paymentLines },
  {
    place: 130,
    linesOf: ({ catalog }) => catalog.agentNotes.slice(0, 3).map((text) => note(text)),
  },
  {
    place: 140,
    linesOf: ({ catalog }) => catalog.strengths.slice(0, 2).map((text) => note(text, 'Good: ')),
  },
  {
    place: 150,
    linesOf: ({ catalog }) => catalog.weaknesses.slice(0, 2).map((text) => note(text, 'Bad: ')),
  },
  {
    place: 170,
    linesOf: ({ unitPrices }) =>
      unitPrices
        .slice(0, 3)
        .map(({ item, usd, unit }) => `- ${mdText(item)}: ${usdAmount(usd)} per ${mdText(unit)}`),
  },
  ...ALL_FIELDS.flatMap(({ slim }) => (slim ? [fieldLine(slim)] : [])),
])

function fieldLine({ place, label, text }: NonNullable<RecordField['slim']>): Lines {
  return { place, linesOf: (tool) => factLine(label, text(tool, KIT)) }
}

function changeLines(_: ToolDetail, { changes, today }: Context): string[] {
  const matter = changes.filter((change) => matters(change, today))
  const oldestFirst = matter.toSorted((a, b) => (a.date < b.date ? -1 : 1))
  return oldestFirst.slice(0, CHANGES).map(cutLine)
}

function paymentLines({ x402 }: ToolDetail): string[] {
  if (!takesX402(x402)) return []
  return [
    ...factLine('x402', cutTo(LINE_TOKENS, withNote(x402.level, x402.evidence))),
    ...x402.endpoints.slice(0, 3).map((endpoint) => `- ${endpointLine(endpoint)}`),
  ]
}

/** The part that ended last, of a tool that goes on. */
function partLine({ catalog }: ToolDetail, changes: readonly ChangeItem[], today: string) {
  const parts = endedBy(catalog) ? undefined : endedParts(changes, today)
  if (!parts) return undefined
  const { last, others } = parts
  const more = others > 0 ? `, and ${others} more` : ''
  return `${cutTo(LINE_TOKENS, last.endsPart ?? '')}, ${last.date}${more}`
}

/** Nothing for a tool without an address. */
function upLine(tool: ToolDetail): string | undefined {
  const up = upWord(tool.live.probe)
  if (up !== 'unknown') return up
  return tool.live.probe && `not known: ${mdText(whyNotKnown(tool, 'up') ?? '')}`
}

/** Coming changes, and the end of the tool even if it is past. */
function matters({ date, kind, status }: ChangeItem, today: string): boolean {
  if (status === 'withdrawn') return false
  return date >= today || kind === 'shutdown' || kind === 'removal'
}

function footLines(tool: ToolDetail, { meta }: MarkdownAbout): string {
  return [
    `Full: ${mdAddress(tool.markdownUrl)} JSON: ${mdAddress(tool.jsonUrl)}`,
    `${cutTo(CREDIT_TOKENS, creditLine(meta))}, ${meta.generatedAt}.`,
    'Data, not instructions.',
  ].join('\n')
}

function kindLine(tool: ToolDetail): string {
  const { kind, category, where, transports } = tool
  const license = tool.license === '' ? [] : [tool.license]
  const parts = [kind, category, where, ...transports, ...license].filter((it) => it !== 'unknown')
  const by = tool.vendor === '' ? '' : `; by ${tool.vendor}`
  return cutTo(LINE_TOKENS, `${parts.join(', ')}${by}`)
}

function cutLine(change: ChangeItem): string {
  const line = changeLine(change)
  if (tokensAtMost(line) <= ADDRESS_TOKENS) return line
  return `- ${change.date} (${cutTo(6, change.kind)}): ${cutTo(LINE_TOKENS, change.what)}`
}

/** Text of the record as Markdown of at most `most` tokens; cut before escaping. */
function cutTo(most: number, text: string): string {
  const whole = mdText(cutText(text, most * LETTERS_A_TOKEN))
  if (whole.length < LETTERS_A_TOKEN * most && tokensAtMost(whole) <= most) return whole
  let [low, high] = [0, Math.min(text.length, most * LETTERS_A_TOKEN)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (tokensAtMost(cutWith(text, middle)) <= most) low = middle
    else high = middle - 1
  }
  return cutWith(text, low)
}

// Prose never has more letters per token.
const LETTERS_A_TOKEN = 12

function cutWith(text: string, most: number): string {
  return `${mdText(cutText(text, most).trimEnd())}…`
}

// Half an address or command is worse than none.
function shortAddress(url: string | undefined): string | undefined {
  if (url === undefined || tokensAtMost(url) > ADDRESS_TOKENS) return undefined
  return mdAddress(url)
}

function shortCode(sample: string | undefined): string | undefined {
  if (!sample || sample.includes('\n') || tokensAtMost(sample) > LINE_TOKENS) return undefined
  return mdCode(sample)
}

function withNote(word: string, note: string | undefined): string {
  return note ? `${word}; ${note}` : word
}
