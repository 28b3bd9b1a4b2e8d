import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Db, Read } from '../../platform/db/database.ts'
import { repeatsMembers } from '../../platform/json.ts'
import { addedMembers } from '../../platform/schema.ts'
import { Fact } from '../audit/model/fact.ts'
import { Seal, type StoredSeal, storedSeal } from '../audit/model/seal.ts'
import {
  listSealedBy,
  listSeals,
  listUnsealed,
  putCopied,
  type SealedRecord,
} from '../audit/model/seal-store.ts'
import { FACT_SOURCES, type SealedFact } from './facts.ts'

const words = Type.Union([Type.String(), Type.Null()])

const sealedBy = Type.Union([Type.Integer(), Type.Null()])

const closed = { additionalProperties: false } as const

const SealLine = Type.Object(
  { seal: Type.Object({ body: Type.String(), signature: Type.String() }, closed) },
  closed,
)
const RowLine = Type.Object(
  {
    row: Type.Object(
      {
        id: Type.String(),
        workspaceId: Type.String(),
        at: Type.Integer(),
        kind: Type.String(),
        personId: words,
        personName: words,
        tokenId: words,
        subjectId: words,
        subjectName: words,
        detail: words,
        seal: sealedBy,
      },
      closed,
    ),
  },
  closed,
)
const FactLine = Type.Object(
  { fact: Type.Composite([Fact, Type.Object({ seal: sealedBy })], closed) },
  closed,
)

/** One line of a copy of the trail: a link of the chain, a row, or a fact. */
const LINES = { seal: SealLine, row: RowLine, fact: FactLine }
type Line = Static<(typeof LINES)[keyof typeof LINES]>

const PIECE = 50
const UNSEALED_MAX = 10_000

/**
 * The sealed trail as lines of JSON, with everything but the key that a check needs: each link of
 * the chain with the rows and facts that it seals, in order; then the rows that are not sealed yet.
 */
export async function* copyTrail(read: Read): AsyncGenerator<string> {
  for (let last = 0; ; ) {
    const links = await listSeals(read, last, PIECE)
    for (const link of links) {
      yield* linkLines(read, link)
      last = link.seq
    }
    if (links.length < PIECE) break
  }
  for (const row of await listUnsealed(read, UNSEALED_MAX)) yield rowLine(row)
}

/** One link with what it seals, as a copy has it: rows and facts that a purge removed are missing. */
export async function* linkLines(read: Read, link: StoredSeal): AsyncGenerator<string> {
  yield sealLine(link)
  for (const row of await listSealedBy(read, link.seq)) yield rowLine(row)
  const seal: unknown = JSON.parse(link.body)
  if (!Value.Check(Seal, seal)) return
  for (const [kind, some] of Map.groupBy(seal.facts ?? [], ([kind]) => kind)) {
    const byId = await FACT_SOURCES[kind].find(
      read,
      some.map(([, id]) => id),
    )
    for (const { fact, seal } of byId.values()) {
      yield `${JSON.stringify({ fact: { ...fact, seal } } satisfies Line)}\n`
    }
  }
}

function sealLine({ body, signature }: Pick<StoredSeal, 'body' | 'signature'>): string {
  return `${JSON.stringify({ seal: { body, signature } } satisfies Line)}\n`
}

function rowLine(row: SealedRecord): string {
  return `${JSON.stringify({ row } satisfies Line)}\n`
}

/**
 * Puts a copy into an empty database, where it is checked like the trail itself. Lines that are
 * there twice count once, so that a collection of what was posted can be checked. Resolves to the
 * facts, the number of links, and what is wrong with the first line that cannot be read, or that
 * contradicts an earlier one about its row, link or fact.
 */
export async function readCopy(
  db: Pick<Db, 'write'>,
  lines: AsyncIterable<string>,
): Promise<{ facts: SealedFact[]; links: number; wrong: string | undefined }> {
  const facts: SealedFact[] = []
  const entries = new Map<string, { number: number; text: string }>()
  let pending: Line[] = []
  let links = 0
  let number = 0
  const flush = async () => {
    const seals = pending.flatMap((one) => ('seal' in one ? (storedSeal(one.seal) ?? []) : []))
    const rows = pending.flatMap((one) => ('row' in one ? (one.row as SealedRecord) : []))
    links += seals.length
    pending = []
    await db.write((tx) => putCopied(tx, seals, rows))
  }
  for await (const text of lines) {
    number++
    if (text.trim() === '') continue
    const line = parsed(text)
    const name = typeof line === 'string' ? undefined : nameOf(line)
    if (typeof line === 'string' || name === undefined) {
      const why = typeof line === 'string' ? line : 'its link has no number'
      return { facts, links, wrong: `Line ${number} is not a line of a copy of the trail: ${why}.` }
    }
    const previous = entries.get(name)
    if (previous && previous.text !== text) {
      return { facts, links, wrong: twice(line, name, previous.number, number) }
    }
    if (!previous && 'fact' in line) {
      const { seal, ...fact } = line.fact
      facts.push({ fact, seal })
    } else if (!previous) pending.push(line)
    entries.set(name, previous ?? { number, text })
    if (pending.length >= PIECE) await flush()
  }
  await flush()
  return { facts, links, wrong: undefined }
}

/** Undefined for a link without a number. */
function nameOf(line: Line): string | undefined {
  if ('row' in line) return `row ${line.row.id}`
  if ('fact' in line) return `${line.fact.kind} of ${line.fact.id}`
  const seal = storedSeal(line.seal)
  return seal && `link ${seal.seq}`
}

function twice(line: Line, name: string, first: number, second: number): string {
  const what = `The ${name} is there twice and says different things, in line ${first} and in line ${second}.`
  if (!('seal' in line)) return what
  return `${what} The trail was set back to an earlier state between them, as by a backup that was restored: check the lines before ${second} and those from there on apart.`
}

/** The line, or why the text is not a line. */
function parsed(text: string): Line | string {
  let line: unknown
  try {
    line = JSON.parse(text)
  } catch {
    return 'it is no JSON'
  }
  const kind = (Object.keys(LINES) as Array<keyof typeof LINES>).find(
    (name) => typeof line === 'object' && line !== null && Object.hasOwn(line, name),
  )
  if (!kind) return 'it has neither a seal nor a row nor a fact'
  if (!Value.Check(LINES[kind], line)) {
    const added = addedMembers(LINES[kind], line)
    return added === undefined
      ? `its ${kind} is not complete`
      : `it has the member ${added}, which was added`
  }
  return repeatsMembers(text, line) ? 'it has a member twice' : (line as Line)
}
