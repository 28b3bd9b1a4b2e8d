import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Db, Read } from '../../platform/db/database.ts'
import { FACT_SOURCES, type SealedFact } from './facts.ts'
import { Fact } from './model/fact.ts'
import { Seal, type StoredSeal, storedSeal } from './model/seal.ts'
import {
  listSealedBy,
  listSeals,
  listUnsealed,
  putCopied,
  type SealedRecord,
} from './model/seal-store.ts'

const words = Type.Union([Type.String(), Type.Null()])

const sealedBy = Type.Union([Type.Integer(), Type.Null()])

/** One line of a copy of the trail: a link of the chain, a row, or a fact. */
const Line = Type.Union([
  Type.Object({ seal: Type.Object({ body: Type.String(), signature: Type.String() }) }),
  Type.Object({
    row: Type.Object({
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
    }),
  }),
  Type.Object({ fact: Type.Composite([Fact, Type.Object({ seal: sealedBy })]) }),
])
type Line = Static<typeof Line>

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
    const found = await FACT_SOURCES[kind].find(
      read,
      some.map(([, id]) => id),
    )
    for (const { fact, seal } of found.values()) {
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
 * facts, and to the number of the first line that cannot be read, or that contradicts an earlier one
 * about its row, link or fact.
 */
export async function readCopy(
  db: Pick<Db, 'write'>,
  lines: AsyncIterable<string>,
): Promise<{ facts: SealedFact[]; wrong: number | undefined }> {
  const facts: SealedFact[] = []
  const seen = new Map<string, string>()
  let pending: Line[] = []
  let number = 0
  const flush = async () => {
    const seals = pending.flatMap((one) => ('seal' in one ? (storedSeal(one.seal) ?? []) : []))
    const rows = pending.flatMap((one) => ('row' in one ? (one.row as SealedRecord) : []))
    pending = []
    await db.write((tx) => putCopied(tx, seals, rows))
  }
  for await (const text of lines) {
    number++
    if (text.trim() === '') continue
    const line = parsed(text)
    const name = line && nameOf(line)
    if (!line || name === undefined) return { facts, wrong: number }
    const known = seen.get(name)
    if (known !== undefined && known !== text) return { facts, wrong: number }
    if (known === undefined && 'fact' in line) {
      const { seal, ...fact } = line.fact
      facts.push({ fact, seal })
    } else if (known === undefined) pending.push(line)
    seen.set(name, text)
    if (pending.length >= PIECE) await flush()
  }
  await flush()
  return { facts, wrong: undefined }
}

/** Undefined for a link without a number. */
function nameOf(line: Line): string | undefined {
  if ('row' in line) return line.row.id
  if ('fact' in line) return `${line.fact.kind} ${line.fact.id}`
  const seal = storedSeal(line.seal)
  return seal && `link ${seal.seq}`
}

function parsed(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text)
    return Value.Check(Line, line) ? line : undefined
  } catch {
    return undefined
  }
}
