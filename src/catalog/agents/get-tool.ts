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
import { byPlace, type McpKit } from '../records/fields/field.ts'
import { ALL_FIELDS } from '../records/fields/fields.ts'
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
  const quoted = fittingFields(namedValues(QUOTED_VALUES, tool, snapshot), QUOTED_TOKENS)
  const room = BRIEF_TOKENS - QUOTED_TOKENS - AROUND_TOKENS
  return {
    slug,
    grade: catalog.grade === null ? null : quotedWord(catalog.grade),
    score: catalog.score,
    agentReady: catalog.agentReady,
    ...fittingFields(namedValues(OWN_VALUES, tool, snapshot), room),
    json: jsonUrl,
    quoted,
  }
}

const KIT: McpKit = { word: quotedWord, quote: quoteRecord, address: shownAddress }

type Value = {
  place: number
  name: string
  read(tool: ToolDetail, snapshot: CatalogSnapshot): unknown
}

/** Most useful first for an agent that has to choose. */
const OWN_VALUES = byPlace<Value>([
  { place: 10, name: 'kind', read: ({ kind }) => quotedWord(kind) },
  { place: 20, name: 'category', read: ({ category }) => quotedWord(category) },
  { place: 60, name: 'ends', read: endOf },
  { place: 70, name: 'up', read: ({ live }) => upWord(live.probe) },
  { place: 130, name: 'confidence', read: catalogConfidence },
  { place: 150, name: 'uptime30d', read: ({ live }) => live.probe?.uptime30d ?? undefined },
  { place: 160, name: 'notKnown', read: reasonsOf },
  ...fieldValues(false),
])

const quoteAll = (texts: readonly string[], most: number) =>
  texts.slice(0, most).map((text) => quoteRecord(text, 30))

const QUOTED_VALUES = byPlace<Value>([
  { place: 10, name: 'name', read: ({ name }) => quoteRecord(name, 16) },
  { place: 20, name: 'vendor', read: ({ vendor }) => quoteRecord(vendor, 12) },
  { place: 30, name: 'summary', read: ({ summary }) => quoteRecord(summary, 50) },
  { place: 50, name: 'agentNotes', read: ({ catalog }) => quoteAll(catalog.agentNotes, 2) },
  { place: 70, name: 'bad', read: ({ catalog }) => quoteAll(catalog.weaknesses, 1) },
  { place: 80, name: 'good', read: ({ catalog }) => quoteAll(catalog.strengths, 1) },
  { place: 90, name: 'install', read: ({ connect }) => quoteRecord(connect.install ?? '', 30) },
  ...fieldValues(true),
])

function fieldValues(quoted: boolean): Value[] {
  return ALL_FIELDS.flatMap(({ mcp }) => mcp ?? [])
    .filter((one) => one.quoted === quoted)
    .map(({ place, name, value }) => ({ place, name, read: (tool) => value(tool, KIT) }))
}

function* namedValues(values: readonly Value[], tool: ToolDetail, snapshot: CatalogSnapshot) {
  for (const { name, read } of values) yield [name, read(tool, snapshot)] as const
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
