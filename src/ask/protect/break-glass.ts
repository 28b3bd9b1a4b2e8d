import type { Tx } from '../../platform/db/database.ts'
import { cleanLine } from '../../platform/text.ts'
import type { Guard } from '../accounts/model/guarded-change.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { listOwners } from '../accounts/model/person-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { differenceLines, differencesOf } from '../policy-file/model/difference.ts'
import { fileOf, readState } from '../policy-file/model/policy-state.ts'
import { addViewers } from '../visibility/model/store.ts'
import { addProposal } from './model/store.ts'
import { proposalQuestion } from './proposal-question.ts'
import { storeProposal } from './propose.ts'

/** Makes a change that others would have to agree to, sealed, and tells all owners what and why. */
export function breakGlass({ at, because }: { at: number; because: string }): Guard {
  return async (tx, { workspaceId, by }, write) => {
    const before = fileOf(await readState(tx, workspaceId))
    const result = await write()
    const now = fileOf(await readState(tx, workspaceId))
    const differences = differencesOf(before, { ...now, protect: now.protect ?? null })
    const lines = differences.flatMap(differenceLines).map((line) => line.slice(0, LINE_MAX))
    const name = cleanLine(by.name ?? '') || 'the command line'
    await recordChange(tx, auditStamp(at), {
      workspaceId,
      kind: 'policy.glass_broken',
      personId: by.id ?? null,
      detail: cleanLine(because),
    })
    await tellOwners(tx, workspaceId, {
      ...{ at, by: name, context: `Why: ${cleanLine(because)}` },
      question: `Who may decide was changed by ${name} without the agreement that the policy asks for.`,
      lines,
    })
    return result
  }
}

const LINE_MAX = 500
const LINES_MAX = 100

type Notice = { at: number; by: string; question: string; context?: string; lines: string[] }

/** Has all owners told of a change that was made. */
export async function tellOwners(
  tx: Tx,
  workspaceId: WorkspaceId,
  { lines, ...notice }: Notice,
): Promise<void> {
  const more = lines.length - LINES_MAX
  const words = more > 0 ? [...lines.slice(0, LINES_MAX), `and ${more} more lines`] : lines
  const question = proposalQuestion({
    workspaceId,
    ...notice,
    lines: words,
    requirement: undefined,
  })
  await storeProposal(tx, question)
  const owners = await listOwners(tx, workspaceId)
  await addViewers(
    tx,
    owners.map((who) => ({ subjectId: question.id, who })),
  )
  const { id: questionId } = question
  await addProposal(tx, { questionId, workspaceId, change: null, basis: '', toldAt: null })
}
