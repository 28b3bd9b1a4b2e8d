import type { Static, TObject, TProperties } from '@sinclair/typebox'
import type { ComponentChildren } from 'preact'
import type { MarkdownKit, PageKit } from '../output-kits.ts'
import type { X402 } from '../x402.ts'

/** The values of these members. */
type Members<P extends TProperties> = Static<TObject<P>>

/**
 * A field of a record, with its companions such as remarks on it: how authors write it and how each
 * output shows it. `fields.ts` lists all fields; the schemas and outputs are derived from that list.
 * Every part must be there: null says that an output has no line for it.
 *
 * `place` orders the lines of an output, the lowest first, together with the lines that the output
 * adds itself.
 */
export type RecordField<
  Written extends TProperties = TProperties,
  Served extends TProperties = TProperties,
> = {
  /** The members in `tools/SLUG.yaml`. */
  written: Written
  /** The members of the record in JSON. */
  served: Served
  /** Makes the served members from the written ones and the measurements. */
  serve(written: Members<Written>, context: ServeContext): Members<Served>
  /** A row or link on the page of the tool. */
  page: PageLine<Members<Served>> | null
  /** A fact in the row of the directory. */
  row: RowFact<Members<Served>> | null
  /** A row of the page that compares tools. */
  compare: CompareLine<Members<Served>> | null
  /** A line under "Facts" in the whole Markdown version. */
  markdown: MarkdownLine<Members<Served>, MarkdownKit> | null
  /** A line of the short Markdown version. */
  slim: MarkdownLine<Members<Served>, SlimKit> | null
  /** Values in the answer of the MCP tool `get_tool`. */
  mcp: ReadonlyArray<McpValue<Members<Served>>> | null
  /** True if importers may set the written members: facts, never opinions. */
  imported: boolean
  /** True if the served members are facts that the import of another catalog takes over as they are. */
  fromCatalogs: boolean
}

/** Where a served value comes from, besides the file of the tool. */
export type ServeContext = {
  /** What was measured. */
  live: {
    githubStars?: number | null
    npmWeekly?: number | null
    pypiWeekly?: number | null
    mcpTools?: { count?: number }
    versions: ReadonlyArray<{ released?: string }>
    updatedAt: string | null
  }
  /** Payments per call, checked against what the addresses answer. */
  x402: X402 | undefined
  /** The day of the research run, `YYYY-MM-DD`. */
  runDate: string
}

type PageLine<Served> =
  /** `glance`: at the top. `facts`: the list beside the sections. No line without a value. */
  | {
      section: 'glance' | 'facts'
      place: number
      label: string
      value(served: Served, kit: PageKit): ComponentChildren
    }
  /** A link under "Elsewhere". */
  | {
      section: 'elsewhere'
      place: number
      label: string
      url(served: Served): string | undefined
    }

type RowFact<Served> = {
  place: number
  /** A few words that are understood without a label; undefined where the fact does not apply. */
  text(served: Served, kit: PageKit): string | undefined
}

type CompareLine<Served> = {
  place: number
  label: string
  /** Anything false stands for "Not known". */
  value(served: Served, kit: PageKit): ComponentChildren
  /** The number that the row is about, where a higher one is better; undefined if it is not known. */
  best?(served: Served): number | undefined
}

type MarkdownLine<Served, Kit> = {
  place: number
  label: string
  /** Markdown; no line without a text. */
  text(served: Served, kit: Kit): string | undefined
}

/** Markdown of a bounded size: a text is cut, a longer address or command is left out. */
export type SlimKit = {
  text(text: string): string
  words(texts: readonly string[]): string
  address(url: string | undefined): string | undefined
}

type McpValue<Served> = {
  place: number
  name: string
  /** True for text of vendors, which is answered under `quoted`. */
  quoted: boolean
  /** Left out if undefined, empty, or too long for the answer. */
  value(served: Served, kit: McpKit): unknown
}

export type McpKit = {
  /** A word of the record, such as `npm`. */
  word(text: string): string
  /** Text on one line of at most so many tokens. */
  quote(text: string, tokens: number): string
  /** An address that is safe to show. */
  address(url: string | undefined): string | undefined
}

/** Infers the types of a field from its schemas. */
export function defineField<Written extends TProperties, Served extends TProperties>(
  field: RecordField<Written, Served>,
): RecordField<Written, Served> {
  return field
}

/** All members of the types of a union. */
export type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (
  all: infer I,
) => void
  ? I
  : never

/** Sorts the lines of an output. */
export function byPlace<T extends { place: number }>(lines: readonly T[]): T[] {
  return lines.toSorted((a, b) => a.place - b.place)
}
