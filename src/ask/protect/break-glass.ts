import type { Tx } from '../../platform/db/database.ts'
import { cleanLine } from '../../platform/text.ts'
import type { Guard } from '../accounts/model/guarded-change.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { listOwners } from '../accounts/model/person-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { compareGuarded } from '../policy/guard.ts'
import { readProtect } from '../policy/model/store.ts'
import { differenceLines, differencesOf } from '../policy-file/model/difference.ts'
import { fileOf, readState } from '../policy-file/model/policy-state.ts'
import { addViewers } from '../visibility/model/store.ts'
import { addProposal } from './model/store.ts'
import { proposalQuestion } from './proposal-question.ts'
import { storeProposal } from './propose.ts'

type Break = {
  at: number
  because: string
  /** Called when others would have had to agree; as often as the transaction runs. */
  onBroken?: () => void
}

/**
 * Makes a change that others would have to agree to, sealed, and tells all owners what and why. Where
 * nobody has to agree, it is made as any other.
 */
export function breakGlass({ at, because, onBroken }: Break): Guard {
  return async (tx, change, write) => {
    const { workspaceId, by } = change
    const { result, lines, isGuarded } = await compared(tx, workspaceId, write)
    if (!isGuarded) return result
    onBroken?.()
    const name = cleanLine(by.name ?? '') || 'the command line'
    await recordChange(tx, auditStamp(at), {
      workspaceId,
      kind: 'policy.glass_broken',
      personId: by.id ?? null,
      detail: cleanLine(because),
    })
    await tellOwners(tx, workspaceId, {
      ...{ at, by: name, context: `Why: ${cleanLine(because)}`, lines },
      question: `Who may decide was changed by ${name} without the agreement that the policy asks for.`,
    })
    return result
  }
}

/**
 * For the file on the disk of the server, which is whose who runs it: it is applied at once, and where
 * others guard who may decide, all owners are told.
 */
export function fromDisk({ at, path }: { at: number; path: string }): Guard {
  return async (tx, { workspaceId }, write) => {
    const isProtected = (await readProtect(tx, workspaceId)) !== undefined
    const { result, lines } = await compared(tx, workspaceId, write)
    if (isProtected && lines.length > 0) {
      await tellOwners(tx, workspaceId, {
        ...{ at, by: 'Policy file', context: `Whoever changes ${path} decides this alone.`, lines },
        question: 'The policy file on the server was changed, and is in force.',
      })
    }
    return result
  }
}

async function compared<T>(tx: Tx, workspaceId: WorkspaceId, write: () => Promise<T>) {
  const before = fileOf(await readState(tx, workspaceId))
  const { result, isGuarded } = await compareGuarded(tx, workspaceId, write)
  const now = fileOf(await readState(tx, workspaceId))
  const differences = differencesOf(before, now)
  const lines = differences.flatMap(differenceLines)
  return { result, isGuarded, lines: lines.map((line) => line.slice(0, LINE_MAX)) }
}

const LINE_MAX = 500
const LINES_MAX = 100

type Notice = { at: number; by: string; question: string; context?: string; lines: string[] }

/** Has all owners told of a change that was made. */
async function tellOwners(
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
