import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../../platform/schema.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import type { Command, Gap, Reading } from './reading.ts'
import { type ForShell, secretsIn } from './redact.ts'

const WHYS = [
  'syntax',
  'size',
  'unseen',
  'program',
  'program word',
  'subcommand',
  'option',
  'word',
  'code',
  'input',
  'variable',
  'expansion',
  'written',
  'target',
  'control file',
  'definition',
  'language',
  'redacted',
] as const satisfies readonly Gap['why'][]

const GAPS_MAX = 20
const DANGERS_MAX = 20
const NAME_MAX = 80
// A longer one is not kept, and the reading is open for that reason.
const BYTES_MAX = 8_192

const SummaryWord = Type.Object(
  {
    text: Type.String({ maxLength: BYTES_MAX }),
    sure: oneOf(['text', 'number', 'names', 'part']),
    base: Type.Optional(oneOf(['home', 'here'])),
  },
  { additionalProperties: false },
)

/**
 * The summary of a reading that is kept beside a question: made from the text as it was, before
 * anything was redacted or cut. Its commands are kept if it holds no secret, and was read to its
 * end or only does not know its programs.
 */
export const ReadingSummary = Type.Object(
  {
    version: Type.Literal(1),
    dangers: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
      maxItems: DANGERS_MAX,
      description: 'Why a yes deserves a second look, in sentences.',
    }),
    open: Type.Array(
      Type.Object(
        { why: oneOf(WHYS), name: Type.Optional(Type.String({ maxLength: NAME_MAX })) },
        { additionalProperties: false },
      ),
      { maxItems: GAPS_MAX, description: 'What was not understood; empty: read to its end.' },
    ),
    touched: oneOf(['named', 'project', 'elsewhere']),
    wordsOnly: Type.Optional(
      Type.Literal(true, {
        description:
          'All that it does stands in the words of its commands: it sets nothing and redirects into no file.',
      }),
    ),
    commands: Type.Array(
      Type.Object(
        {
          program: Type.String({ maxLength: BYTES_MAX }),
          words: Type.Array(SummaryWord),
          does: oneOf(['says', 'reads', 'writes', 'project', 'network', 'machine']),
          touches: oneOf(['named', 'project', 'elsewhere']),
          places: Type.Optional(Type.Array(Type.String({ maxLength: BYTES_MAX }))),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false, description: 'What a shell command does, as it was read.' },
)
export type ReadingSummary = Static<typeof ReadingSummary>

/** The summary of a reading of `text`, with the reasons that the table of dangers found. */
export function summaryOf(
  reading: Reading,
  text: string,
  dangers: readonly string[],
  is: ForShell = {},
): ReadingSummary {
  const { commands, touched } = reading
  // A secret is recognised by the words around it, so that single words may give it away.
  const { hasSecret, hidesCommands } = secretsIn(text, is)
  const isPlain = !hasSecret
  const gaps: Gap[] = hidesCommands
    ? [{ why: 'redacted', at: [0, text.length] }, ...reading.open]
    : reading.open
  const open = onceEach(gaps.map((gap) => gapOf(gap, isPlain)))
  const summary: ReadingSummary = {
    version: 1,
    dangers: [...dangers.slice(0, DANGERS_MAX)],
    open,
    touched,
    ...(reading.wordsOnly ? { wordsOnly: true as const } : {}),
    commands: isPlain && open.every(isAboutPrograms) ? commands.map(commandOf) : [],
  }
  if (Buffer.byteLength(JSON.stringify(summary)) <= BYTES_MAX) return summary
  return { ...summary, open: [{ why: 'size' }], touched: 'elsewhere', commands: [] }
}

/** Joins two readings of a text: open if either is, with the dangers of both. */
export function joinSummaries(one: ReadingSummary, other: ReadingSummary): ReadingSummary {
  const { wordsOnly, ...rest } = one
  return {
    ...rest,
    ...(wordsOnly && other.wordsOnly ? { wordsOnly } : {}),
    dangers: [...new Set([...one.dangers, ...other.dangers])].slice(0, DANGERS_MAX),
    open: onceEach([one, other].flatMap(gapsOf)),
  }
}

type SummaryGap = ReadingSummary['open'][number]

/** Of a hook: a full list may have left some out. */
function gapsOf({ open }: ReadingSummary): SummaryGap[] {
  return open.length < GAPS_MAX ? open : [{ why: 'size' }, ...open]
}

/** Each gap once; that some had no room is a gap of its own. */
function onceEach(all: readonly SummaryGap[]): SummaryGap[] {
  const open = [...new Map(all.map((gap) => [`${gap.why} ${gap.name}`, gap])).values()]
  return open.length <= GAPS_MAX ? open : [...open.slice(0, GAPS_MAX - 1), { why: 'size' }]
}

// Which an owner may settle by saying what a program does (own-programs.ts).
const ABOUT_PROGRAMS = new Set(['program', 'input', 'option', 'written'])

function isAboutPrograms({ why }: SummaryGap): boolean {
  return ABOUT_PROGRAMS.has(why)
}

function gapOf({ why, name }: Gap, isPlain: boolean): ReadingSummary['open'][number] {
  return name === undefined || !isPlain
    ? { why }
    : { why, name: cutText(cleanLine(name), NAME_MAX) }
}

function commandOf({ program, words, does, touches, places }: Command) {
  return {
    program,
    words: words.map(({ text, sure, base }) => ({ text, sure, ...(base ? { base } : {}) })),
    does,
    touches,
    ...(places ? { places } : {}),
  }
}
