import type { Read } from '../../platform/db/database.ts'
import type { Links, SealOutOfRange } from '../../platform/db/seal-marks.ts'
import type { VerifyKey } from '../../platform/signing/ed25519.ts'
import type { FactKind } from '../audit/model/fact.ts'
import type { QuestionId } from '../wire/ids.ts'
import { FACT_SOURCES, type SealedFact } from './facts.ts'
import { readWitnesses, type Witness, type WitnessedKind } from './witnesses.ts'

/** The facts that a check compares with what is sealed: of a database, or of a copy. */
export type KnownFacts = {
  find(kind: FactKind, ids: readonly string[]): Promise<Map<string, SealedFact>>
  countUnsealed(kind: FactKind): Promise<number>
  /** How many rows name one of these links as their seal, and their ids in order. */
  countWithin(kind: FactKind, links: Links): Promise<number>
  listWithin(kind: FactKind, links: Links, after: string, limit: number): Promise<string[]>
  /**
   * A fact that names a later link as its seal or, if the fact is of `since` or later, an earlier
   * one.
   */
  findOutside(kind: FactKind, links: Links, since: number): Promise<SealOutOfRange | undefined>
  /**
   * Returns the witnesses that receipts and permits must agree with; undefined for a copy, which
   * has neither.
   */
  witnesses?(
    kind: WitnessedKind,
    ids: readonly QuestionId[],
    key: VerifyKey,
  ): Promise<Map<QuestionId, Witness>>
}

/** Reads the facts in the database. */
export function factsIn(read: Read): KnownFacts {
  return {
    find: (kind, ids) => FACT_SOURCES[kind].find(read, ids),
    countUnsealed: (kind) => FACT_SOURCES[kind].marks.countUnsealed(read),
    countWithin: (kind, links) => FACT_SOURCES[kind].marks.countWithin(read, links),
    listWithin: (kind, ...where) => FACT_SOURCES[kind].marks.listWithin(read, ...where),
    findOutside: (kind, ...where) => FACT_SOURCES[kind].marks.findOutside(read, ...where),
    witnesses: (kind, ids, key) => readWitnesses(read, kind, ids, key),
  }
}

/** The facts of a copy, which are held in memory. */
export function copiedFacts(facts: readonly SealedFact[]): KnownFacts {
  const byKind = Map.groupBy(facts, ({ fact }) => fact.kind)
  const byId = new Map(
    [...byKind].map(([kind, some]) => [kind, new Map(some.map((one) => [one.fact.id, one]))]),
  )
  const within = (kind: FactKind, { first, last }: Links) =>
    (byKind.get(kind) ?? []).filter(({ seal }) => seal !== null && seal >= first && seal <= last)
  return {
    async find(kind, ids) {
      const ofKind = byId.get(kind)
      return new Map(ids.flatMap((id) => [[id, ofKind?.get(id)] as const]).filter(isThere))
    },
    countUnsealed: async () => 0,
    countWithin: async (kind, links) => within(kind, links).length,
    async listWithin(kind, links, after, limit) {
      const ids = within(kind, links).map(({ fact }) => fact.id)
      return ids
        .filter((id) => id > after)
        .sort()
        .slice(0, limit)
    },
    async findOutside(kind, { first, last }, since) {
      for (const { seal, fact } of byKind.get(kind) ?? []) {
        const isEarly = seal !== null && seal < first && fact.at >= since
        if (seal !== null && (seal > last || isEarly)) return { id: fact.id, seal }
      }
      return undefined
    },
  }
}

function isThere<T>(pair: readonly [string, T | undefined]): pair is readonly [string, T] {
  return pair[1] !== undefined
}
