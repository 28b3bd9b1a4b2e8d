import { type Static, Type } from '@sinclair/typebox'
import { suggest } from '../../platform/did-you-mean.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { findable, fits } from '../feeds/filter.ts'
import { tokensAtMost } from '../feeds/markdown/token-bound.ts'
import { searchList } from '../feeds/search-list.ts'
import { endedBy } from '../records/grading.ts'
import type { ToolDetail } from '../records/tool.ts'
import { KINDS } from '../records/tool-fields.ts'
import { closed, countField, orNull } from '../records/words.ts'
import { foldText } from '../search/match.ts'
import { cursorAt, listIdOf, offsetOf, pageSummary } from './list-cursor.ts'
import {
  AboutAnswer,
  aboutAnswer,
  answerText,
  fittingItems,
  quotedWord,
  quoteRecord,
} from './quoted.ts'
import { catalogTool } from './tool.ts'

/** The largest answer, in tokens. */
export const SEARCH_TOKENS = 1_500
const NAME_TOKENS = 16
const SUMMARY_TOKENS = 40
const PRICE_TOKENS = 20

const word = Type.String({ minLength: 1, maxLength: 100 })
const anyOf = (description: string) => Type.Array(word, { maxItems: 10, description })

const Input = closed({
  query: Type.Optional(
    Type.String({ maxLength: 200, description: 'What it is for, in a few words.' }),
  ),
  kind: Type.Optional(anyOf(`Any of ${KINDS.join(', ')}.`)),
  category: Type.Optional(anyOf('Any of these categories, such as messaging.')),
  capability: Type.Optional(anyOf('Any of these, such as email.send; "email" finds it too.')),
  auth: Type.Optional(anyOf('Any of api-key, oauth, mixed, none.')),
  pricing: Type.Optional(anyOf('Any of free, usage, freemium.')),
  up: Type.Optional(anyOf('Any of yes, no, unknown.')),
  transport: Type.Optional(anyOf('Any of http, streamable-http, stdio.')),
  x402: Type.Optional(
    Type.Boolean({
      description:
        'Whether calls can be paid one by one; false finds only tools that are known not to.',
    }),
  ),
  agentReady: Type.Optional(Type.Boolean({ description: 'Whether no person is needed.' })),
  minScore: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 8 })),
  cursor: Type.Optional(Type.String({ maxLength: 20, description: '"next" of the call before.' })),
})

const Hit = closed({
  slug: Type.String(),
  kind: Type.String(),
  category: Type.String(),
  grade: orNull(Type.String()),
  score: orNull(Type.Number()),
  agentReady: Type.Boolean(),
  ended: Type.Optional(
    Type.String({ description: 'It can no longer be used: shut-down or withdrawn.' }),
  ),
  auth: Type.String(),
  pricing: Type.String(),
  x402: Type.Optional(Type.String({ description: 'Absent: not known.' })),
  quoted: closed({
    name: Type.String(),
    summary: Type.String(),
    price: Type.Optional(Type.String()),
  }),
})

const Output = closed({
  said: Type.String({ description: 'How much of the result is shown.' }),
  total: countField('Tools that fit.'),
  next: Type.Optional(Type.String({ description: 'Cursor of the next page.' })),
  tools: Type.Array(Hit),
  about: AboutAnswer,
})

export const SEARCH_TOOLS = catalogTool({
  name: 'search_tools',
  title: 'Search the catalog of tools',
  description: [
    'Finds APIs, MCP servers, models and other tools that an agent could use, with grade, price and how to authenticate.',
    'Say what it is for in query ("send sms") and narrow it down: x402: true for what takes payments per call, agentReady: true for what needs no person.',
    'Best first, what can no longer be used (ended) last. total is the number of all that fit, next the cursor of more. Read one with get_tool before you recommend it.',
    'grade and score are null for tools that were not assessed, which is not a bad grade.',
  ].join(' '),
  inputSchema: Input,
  outputSchema: Output,
  answer: search,
})

function search(input: Static<typeof Input>, snapshot: CatalogSnapshot): Static<typeof Output> {
  const { query = '', limit = 8, cursor, ...filters } = input
  const fit = fitOf(filters)
  const matches = searchList(snapshot, query).filter(fit)
  const list = listIdOf(snapshot, { query, ...filters })
  const from = offsetOf(cursor, list)
  const total = matches.length
  const written = (tools: Static<typeof Hit>[]) => {
    const end = from + tools.length
    const next = end < total ? cursorAt(end, list) : undefined
    const range = pageSummary(tools.length, from, total, next)
    const summary = `${range}${nothingLike(total, filters, snapshot)}`
    return { said: summary, total, ...(next ? { next } : {}), tools, about: aboutAnswer(snapshot) }
  }
  const some = matches.slice(from, from + limit)
  // The text around the longest list is no shorter than the text around what fits.
  const around = tokensAtMost(answerText(written([]))) + AROUND_TOKENS
  return written(fittingItems(some.values().map(hitOf), SEARCH_TOKENS - around))
}

// Room for a longer count of what is shown.
const AROUND_TOKENS = 8

type Filters = Omit<Static<typeof Input>, 'query' | 'limit' | 'cursor'>

function fitOf({ x402, agentReady, minScore, ...lists }: Filters): (tool: ToolDetail) => boolean {
  const words = new Map(
    Object.entries(lists).map(([name, values]) => [name, values.map((it) => foldText(it.trim()))]),
  )
  if (x402 !== undefined) words.set('x402', x402 ? ['yes', 'partial'] : ['no'])
  const query = {
    words,
    ...(agentReady === undefined ? {} : { agentReady }),
    ...(minScore === undefined ? {} : { minScore }),
  }
  return (tool) => fits(query, findable(tool))
}

function hitOf(tool: ToolDetail): Static<typeof Hit> {
  const { slug, catalog, x402 } = tool
  const { grade, score, agentReady } = catalog
  const gate = endedBy(catalog)
  const price = quoteRecord(tool.priceSummary, PRICE_TOKENS)
  return {
    slug,
    kind: quotedWord(tool.kind),
    category: quotedWord(tool.category),
    grade: grade === null ? null : quotedWord(grade),
    score,
    agentReady,
    ...(gate ? { ended: quotedWord(gate.code) } : {}),
    auth: quotedWord(tool.auth),
    pricing: quotedWord(tool.pricing),
    ...(x402 ? { x402: quotedWord(x402.level) } : {}),
    quoted: {
      name: quoteRecord(tool.name, NAME_TOKENS),
      summary: quoteRecord(tool.summary, SUMMARY_TOKENS),
      ...(price ? { price } : {}),
    },
  }
}

/** A filter word that no record uses is probably mistyped. */
function nothingLike(
  total: number,
  { category, capability }: Filters,
  snapshot: CatalogSnapshot,
): string {
  if (total > 0) return ''
  const filters: Array<[name: string, words: readonly string[], known: Set<string>]> = [
    ['category', category ?? [], new Set(snapshot.tools.map((tool) => tool.category))],
    ['capability', capability ?? [], new Set(snapshot.tools.flatMap((tool) => tool.capabilities))],
  ]
  const unknown = filters.flatMap(([name, words, vocabulary]) => {
    const [first] = words.filter((it) => !vocabulary.has(it))
    const suggestion = first === undefined ? '' : suggest(first, vocabulary)
    return suggestion ? [` No tool has this ${name}${suggestion}`] : []
  })
  return unknown.join('')
}
