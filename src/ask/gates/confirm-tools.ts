import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { must, type Person } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { type Gate, type GateTool, isConfirmed } from './model/gate.ts'
import {
  confirmGateTool,
  confirmInstructions,
  deleteGate,
  listGateTools,
  readGate,
} from './model/store.ts'
import { unconfirmVersions } from './model/version-store.ts'

type Deps = { db: Db; clock: Clock }

/** What an owner decides about one tool. `fingerprint`: the version that they were shown. */
export type ToolDecision = { name: string; fingerprint: string; unasked: boolean }

/**
 * An owner has looked at these tools: from now on rules hold for them, and those with `unasked` run
 * without asking, as long as they stay as they are; those without it ask in every version. Throws `conflict`, and confirms none, if one
 * changed since it was shown; `not_found` and `forbidden`.
 */
export async function confirmTools(
  { db, clock }: Deps,
  person: Person,
  id: string,
  decisions: readonly ToolDecision[],
  instructionsHash?: string,
): Promise<void> {
  must(person, 'policy')
  const at = clock.now()
  const stamp = auditStamp(at)
  await db.write(async (tx) => {
    const gate = await readGate(tx, person.workspaceId, id)
    if (!gate) throw noGate()
    const tools = new Map((await listGateTools(tx, gate.id)).map((tool) => [tool.name, tool]))
    for (const { name, fingerprint, unasked } of decisions) {
      const tool = tools.get(name)
      if (!tool?.listed || tool.fingerprint !== fingerprint) throw changedMeanwhile(gate)
      if (!unasked) await unconfirmVersions(tx, gate.id, name)
      if (isAsDecided(tool, unasked)) continue
      const { definition } = tool
      const confirmed = { fingerprint, definition, at, by: person.id, unasked }
      if (!(await confirmGateTool(tx, gate.id, name, confirmed))) throw changedMeanwhile(gate)
    }
    if (instructionsHash !== undefined) await confirmInstructions(tx, gate.id, instructionsHash)
    await recordChange(tx, stamp, {
      workspaceId: person.workspaceId,
      kind: 'gate.changed',
      personId: person.id,
      subjectId: gate.id,
      subjectName: gate.name,
      detail: confirmedWords(decisions),
    })
  })
}

function isAsDecided(tool: GateTool, unasked: boolean): boolean {
  return isConfirmed(tool) && tool.confirmed?.unasked === unasked
}

function confirmedWords(decisions: readonly ToolDecision[]): string {
  const unasked = decisions.filter((decision) => decision.unasked).length
  return `${decisions.length} tools confirmed, ${unasked} of them without asking`
}

function changedMeanwhile({ name }: Gate): Failure {
  return new Failure(
    'conflict',
    `${name} listed other tools since this page was opened, so nothing was confirmed. Look at them again.`,
  )
}

function noGate(): Failure {
  return new Failure('not_found', 'There is no such gate here.')
}

/** Removes a gate with all that was confirmed; it comes back, as new, when it is used again. */
export async function removeGate({ db, clock }: Deps, person: Person, id: string): Promise<void> {
  must(person, 'policy')
  const stamp = auditStamp(clock.now())
  await db.write(async (tx) => {
    const gate = await readGate(tx, person.workspaceId, id)
    if (!gate) throw noGate()
    await deleteGate(tx, gate.id)
    await recordChange(tx, stamp, {
      workspaceId: person.workspaceId,
      kind: 'gate.changed',
      personId: person.id,
      subjectId: gate.id,
      subjectName: gate.name,
      detail: 'removed',
    })
  })
}
