import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../platform/schema.ts'
import { upWord } from '../facts/answers/fact.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { changesByTool } from '../feeds/changes-by-tool.ts'
import { mdQuote } from '../feeds/markdown/escape.ts'
import {
  connectLines,
  factLines,
  liveLines,
  modelLines,
  notKnownLines,
  payLines,
  priceLines,
  provenanceLines,
} from '../feeds/markdown/fact-lines.ts'
import { changeLine, reviewText } from '../feeds/markdown/full.ts'
import { gradeLines } from '../feeds/markdown/grade-lines.ts'
import { items } from '../feeds/markdown/lines.ts'
import { shownAddress } from '../feeds/markdown/shown-text.ts'
import { tokensAtMost } from '../feeds/markdown/token-bound.ts'
import type { ToolDetail } from '../records/tool.ts'
import { closed, orNull } from '../records/words.ts'
import { findRecord } from './find-record.ts'
import { AboutAnswer, aboutAnswer, fittingFields, quotedWord, quoteRecord } from './quoted.ts'
import { catalogTool } from './tool.ts'

/** The largest answer without parts, in tokens; with them, three parts more. */
export const BRIEF_TOKENS = 600
// The JSON around both halves of the answer.
const AROUND_TOKENS = 110
const QUOTED_TOKENS = 250
const PARTS_MAX = 3
/** The largest part, in tokens. */
export const PART_TOKENS = 1_200

type WritePart = (tool: ToolDetail, snapshot: CatalogSnapshot) => string[]

const PARTS = {
  facts: factLines,
  grade: gradeLines,
  verdict: ({ catalog, notable }) => [
    ...(catalog.verdict === '' ? [] : [mdQuote(catalog.verdict)]),
    ...titled('Good', items(catalog.strengths)),
    ...titled('Bad', items([...catalog.weaknesses, ...(catalog.negativeNotes ?? [])])),
    ...titled('For agents', items(catalog.agentNotes)),
    ...titled('Notable', items(notable)),
  ],
  connect: connectLines,
  prices: (tool) => [...priceLines(tool), ...payLines(tool)],
  models: modelLines,
  changes: ({ slug }, snapshot) => (changesByTool(snapshot).get(slug) ?? []).map(changeLine),
  measured: (tool) => [...liveLines(tool), ...titled('Not known', notKnownLines(tool))],
  provenance: provenanceLines,
  reviews: ({ reviews }) => reviews.map(reviewText),
} satisfies Record<string, WritePart>

type PartName = keyof typeof PARTS
export const PART_NAMES = Object.keys(PARTS) as PartName[]

const Input = closed({
  slug: Type.String({ minLength: 1, maxLength: 100, description: 'Of a tool, from search_tools.' }),
  parts: Type.Optional(
    Type.Array(oneOf(PART_NAMES), {
      minItems: 1,
      maxItems: PARTS_MAX,
      description: 'More than the brief record: at most three at once.',
    }),
  ),
})

const Output = closed({
  tool: Type.Unsafe<Record<string, unknown>>(
    Type.Object(
      {
        slug: Type.String(),
        grade: orNull(Type.String()),
        score: orNull(Type.Number()),
        agentReady: Type.Boolean(),
        json: Type.String({ description: 'Where all of it is.' }),
        quoted: Type.Object({}, { description: 'Name, vendor, summary, price, notes.' }),
      },
      {
        description:
          'Facts; those that did not fit are missing, unknown ones too: notKnown says why.',
      },
    ),
  ),
  parts: Type.Optional(
    Type.Array(
      closed({
        part: Type.String(),
        markdown: Type.String({ description: 'Text of vendors is escaped.' }),
        whole: Type.Boolean({ description: 'False: there is more at tool.json.' }),
      }),
    ),
  ),
  about: AboutAnswer,
})

export const GET_TOOL = catalogTool({
  name: 'get_tool',
  title: 'Read one tool of the catalog',
  description: [
    'The record of one tool in at most 600 tokens: what it is, grade, authentication, price, address, what to know before calling it.',
    'parts adds more, up to 1,200 tokens each: prices before you spend money, connect before you set it up, changes before you depend on it, grade for the reasons, models for what each can do, reviews, measured for uptime.',
    'tool.json is the address of everything.',
  ].join(' '),
  inputSchema: Input,
  outputSchema: Output,
  answer({ slug, parts }: Static<typeof Input>, snapshot: CatalogSnapshot): Static<typeof Output> {
    const tool = findRecord(snapshot, slug)
    const partNames = [...new Set(parts as PartName[] | undefined)]
    return {
      tool: briefOf(tool, snapshot),
      ...(partNames.length > 0
        ? { parts: partNames.map((one) => partOf(one, tool, snapshot)) }
        : {}),
      about: aboutAnswer(snapshot),
    }
  },
})

function briefOf(tool: ToolDetail, snapshot: CatalogSnapshot): Static<typeof Output>['tool'] {
  const { catalog, slug, jsonUrl } = tool
  const quoted = fittingFields(quotedFields(tool), QUOTED_TOKENS)
  const room = BRIEF_TOKENS - QUOTED_TOKENS - AROUND_TOKENS
  return {
    slug,
    grade: catalog.grade === null ? null : quotedWord(catalog.grade),
    score: catalog.score,
    agentReady: catalog.agentReady,
    ...fittingFields(ownFields(tool, snapshot), room),
    json: jsonUrl,
    quoted,
  }
}

/** Most useful first for an agent that has to choose. */
function* ownFields(
  tool: ToolDetail,
  snapshot: CatalogSnapshot,
): Iterable<readonly [name: string, value: unknown]> {
  yield ['kind', quotedWord(tool.kind)]
  yield ['category', quotedWord(tool.category)]
  yield ['auth', quotedWord(tool.auth)]
  yield ['pricing', quotedWord(tool.pricing)]
  yield ['x402', tool.x402 && quotedWord(tool.x402.level)]
  yield ['ends', endOf(tool, snapshot)]
  yield ['up', upWord(tool.live.probe)]
  yield ['endpoint', shownAddress(tool.remoteUrl)]
  yield ['transports', tool.transports.map(quotedWord)]
  yield ['where', quotedWord(tool.where)]
  yield ['docs', shownAddress(tool.docsUrl)]
  yield ['openapi', shownAddress(tool.openapi)]
  yield ['confidence', catalogConfidence(tool)]
  yield ['capabilities', tool.capabilities.slice(0, 6).map(quotedWord)]
  yield ['uptime30d', tool.live.probe?.uptime30d ?? undefined]
  yield ['notKnown', reasonsOf(tool)]
  yield ['llmsTxt', shownAddress(tool.llmsTxt)]
  yield ['repo', shownAddress(tool.repo)]
}

function* quotedFields(tool: ToolDetail): Iterable<readonly [name: string, value: unknown]> {
  const { catalog, connect } = tool
  const all = (texts: readonly string[], most: number) =>
    texts.slice(0, most).map((text) => quoteRecord(text, 30))
  yield ['name', quoteRecord(tool.name, 16)]
  yield ['vendor', quoteRecord(tool.vendor, 12)]
  yield ['summary', quoteRecord(tool.summary, 50)]
  yield ['price', quoteRecord(tool.priceSummary, 24)]
  yield ['agentNotes', all(catalog.agentNotes, 2)]
  yield ['authNotes', quoteRecord(tool.authNotes, 30)]
  yield ['bad', all(catalog.weaknesses, 1)]
  yield ['good', all(catalog.strengths, 1)]
  yield ['install', quoteRecord(connect.install ?? '', 30)]
}

/** Why a question has no answer, by its name. */
function reasonsOf({ notKnown }: ToolDetail): Record<string, string> {
  return Object.fromEntries(notKnown.map(({ field, why }) => [field, why]))
}

/** The day on which it shuts down, past or to come. */
function endOf({ slug }: ToolDetail, snapshot: CatalogSnapshot): string | undefined {
  const own = changesByTool(snapshot).get(slug) ?? []
  return own.find(({ kind, status }) => kind === 'shutdown' && status !== 'withdrawn')?.date
}

function catalogConfidence({ catalog }: ToolDetail): string | undefined {
  return catalog.graded ? quotedWord(catalog.assessment.confidence) : undefined
}

/**
 * One part of a record as Markdown of at most 1,200 tokens; text of the record is escaped. `whole`
 * says whether everything fitted.
 */
export function partOf(name: PartName, tool: ToolDetail, snapshot: CatalogSnapshot) {
  const write: WritePart = PARTS[name]
  const lines = write(tool, snapshot).flatMap((block) => block.split('\n'))
  const partLines: string[] = []
  let remaining = PART_TOKENS
  for (const line of lines) {
    // A line break is two characters in JSON.
    remaining -= tokensAtMost(JSON.stringify(line)) + 2
    if (remaining < 0) break
    partLines.push(line)
  }
  return { part: name, markdown: partLines.join('\n'), whole: partLines.length === lines.length }
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`**${title}**`, ...lines]
}
