import type { Read } from '../../platform/db/database.ts'
import type { Links } from '../../platform/db/seal-marks.ts'
import { FACT_KINDS, type FactKind, factDigest } from '../audit/model/fact.ts'
import type { Seal } from '../audit/model/seal.ts'
import { lastSeal } from '../audit/model/seal-store.ts'
import type { KnownFacts } from './known-facts.ts'

/** The fault, in a sentence, and with which row; undefined if it is a link of the chain. */
export type Finding = { row: string | undefined; why: string }

type SealedAs = NonNullable<Seal['facts']>[number]

const PIECE = 500

/** In words: a row of each kind, by its id and what it is about. */
const NAMED: Record<FactKind, (id: string, about: string) => string> = {
  'question.opened': (id) => `Question ${id}`,
  'question.ended': (id) => `Question ${id}`,
  'question.answered_late': (id, about) => `The late answer ${id} to question ${about}`,
  'notification.sent': (id) => `Notification ${id}`,
  'message.ended': (id, about) => `The delivery ${id} of ${about}`,
}
const CHANGED: Record<FactKind, string> = {
  'question.opened': 'is not as it was asked',
  'question.ended': 'is not as it ended: its status, its answer or who gave it was changed',
  'question.answered_late': 'was changed',
  'notification.sent': 'is not as it was sent',
  'message.ended': 'was changed',
}
/** Sealed in the order in which they came about: their ids are in the order of time. */
const IN_ORDER: readonly FactKind[] = ['question.opened', 'notification.sent']

/** Compares the facts of a chain with what is there now, link by link and then as a whole. */
export function createFactCheck(facts: KnownFacts, lateMs: number, report: (one: Finding) => void) {
  const missing: SealedAs[] = []
  const removed = new Set<string>()
  const present = new Map<FactKind, number>()
  const reached = new Map<FactKind, number>()
  let same = 0

  async function checkKind(kind: FactKind, some: readonly SealedAs[], seal: Seal): Promise<void> {
    const byId = await facts.find(
      kind,
      some.map(([, id]) => id),
    )
    const start = Math.min(reached.get(kind) ?? -1, seal.sealedAt)
    let latest = start
    for (const one of some) {
      const [, id, at, about, digest] = one
      const name = NAMED[kind](id, about)
      const there = byId.get(id)
      if (at < start - lateMs && IN_ORDER.includes(kind)) {
        report({ row: id, why: `${name} was put in later than it says.` })
      }
      latest = Math.max(latest, at)
      if (!there) {
        missing.push(one)
        continue
      }
      if (there.seal === seal.seq) present.set(kind, (present.get(kind) ?? 0) + 1)
      if (factDigest(there.fact) !== digest) report({ row: id, why: `${name} ${CHANGED[kind]}.` })
      else if (there.seal !== seal.seq) report({ row: id, why: `${name} was moved in the chain.` })
      else same++
    }
    reached.set(kind, Math.min(latest, seal.sealedAt))
  }

  return {
    /** How many are as they were sealed. */
    same: () => same,
    async checkLink(seal: Seal): Promise<void> {
      for (const id of seal.removed ?? []) removed.add(id)
      const byKind = Map.groupBy(seal.facts ?? [], ([kind]) => kind)
      for (const [kind, some] of byKind) await checkKind(kind, some, seal)
    },
    /** `seals`: the chain once more, for the rare case that something was put in. */
    async finish(
      read: Read,
      { before, ...links }: Links & { before: number },
      seals: () => AsyncIterable<Seal>,
    ): Promise<void> {
      for (const [kind, id, , about] of missing) {
        if (removed.has(about)) continue
        report({ row: id, why: `${NAMED[kind](id, about)} was removed, and not by Beckon.` })
      }
      const suspect: FactKind[] = []
      for (const kind of FACT_KINDS) {
        const outside = await facts.findOutside(kind, links, before)
        // It may have been sealed after the chain was read; then its link exists by now.
        const isNew = outside && outside.seal > links.last && (await isLink(read, outside.seal))
        if (outside && !isNew) report(insertedRow(kind, outside.id))
        const count = await facts.countWithin(kind, links)
        if (count > (present.get(kind) ?? 0)) suspect.push(kind)
      }
      if (suspect.length === 0) return
      const listedFacts = new Set<string>()
      for await (const seal of seals()) {
        for (const [kind, id] of seal.facts ?? []) listedFacts.add(`${kind} ${id}`)
      }
      for (const kind of suspect) {
        for await (const id of listPutIn(facts, kind, links, listedFacts))
          report(insertedRow(kind, id))
      }
    },
  }
}

/** Rows that name a link as their seal although the link does not name them. */
async function* listPutIn(
  facts: KnownFacts,
  kind: FactKind,
  links: Links,
  listedFacts: ReadonlySet<string>,
): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const ids = await facts.listWithin(kind, links, after, PIECE)
    yield* ids.filter((id) => !listedFacts.has(`${kind} ${id}`))
    after = ids.at(-1) ?? ''
    if (ids.length < PIECE) return
  }
}

function insertedRow(kind: FactKind, id: string): Finding {
  const why = `${id} was put in: no link of the chain seals it as ${kind}.`
  return { row: id, why }
}

async function isLink(read: Read, seq: number): Promise<boolean> {
  return seq <= ((await lastSeal(read))?.seq ?? 0)
}
