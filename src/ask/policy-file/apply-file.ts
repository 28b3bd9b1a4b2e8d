import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { cleanLine } from '../../platform/text.ts'
import type { Guard, Proposer } from '../accounts/model/guarded-change.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { lockGroups } from '../groups/groups.ts'
import { putGroupMembers, putGroupSource } from '../groups/model/store.ts'
import { guardChange } from '../policy/guard.ts'
import type { PolicyOrigin } from '../policy/model/policy-origin.ts'
import { putOrigin } from '../policy/model/store.ts'
import { lockRotas } from '../rota/change-rotas.ts'
import { checkFile } from './check-file.ts'
import { type Difference, differencesOf } from './model/difference.ts'
import type { PolicyFile } from './model/policy-file.ts'
import { digestOf, fileOf, type PolicyState, readState } from './model/policy-state.ts'
import { readPolicyFile } from './model/read-policy-file.ts'
import { baseIn } from './model/write-policy-file.ts'
import { newIdsFor, resolveFile } from './resolve-file.ts'
import { releaseRotas } from './resolve-rotas.ts'
import { stateAfter, write } from './write-state.ts'

export type FileDeps = { db: Db; clock: Clock }

/** A policy file as it came in. */
export type PolicyText = {
  text: string
  /** The name of the file, for what is said of it. */
  name: string
}

/** Who applies a file, and why. */
export type Applying = PolicyText & {
  by?: (Proposer & { name: string }) | undefined
  because?: string | undefined
  commit?: string | undefined
  /** The server reads it from its own disk: nothing else applies a file then. */
  isWatched?: true | undefined
  /** The digest of the state that the file was made for. */
  base?: string | undefined
}

/** What a file would change, and the digest of what it would change. */
export type Comparison = { state: string; differences: Difference[]; isFromFile: boolean }

export type Applied = Comparison & { before: string }

const DETAIL_MAX = 20

/** Compares a file with a workspace. Throws `invalid_input` for a file that could not be applied. */
export async function compareFile(
  { db, clock }: FileDeps,
  workspaceId: WorkspaceId,
  policyText: PolicyText,
): Promise<Comparison> {
  const state = await readState(db.read, workspaceId)
  return comparison(state, fileFor(state, policyText), clock.now())
}

function comparison(state: PolicyState, file: PolicyFile, now: number): Comparison {
  const before = fileOf(state)
  const after = fileOf(stateAfter(state, resolveFile(file, state, newIdsFor(file, now), now)))
  const differences = differencesOf(before, after)
  return { state: digestOf(before), differences, isFromFile: state.origin !== undefined }
}

/** Makes a workspace as its policy file says, whole or not at all. Throws as `compareFile`, and `conflict`. */
export async function applyFile(
  { db, clock, guard = guardChange }: FileDeps & { guard?: Guard },
  workspaceId: WorkspaceId,
  input: Applying,
): Promise<Applied> {
  const applying = inLines(input)
  const at = clock.now()
  return db.write((tx) => {
    const { by = { name: 'the command line' } } = applying
    const change = { workspaceId, by, kind: 'file.apply', input: applying }
    return guard(tx, change, () => writeFile(tx, { workspaceId, at }, applying))
  })
}

/** As `applyFile`, as a part of a transaction. Throws before it writes anything. */
export async function writeFile(
  tx: Tx,
  { workspaceId, at }: { workspaceId: WorkspaceId; at: number },
  applying: Applying,
): Promise<Applied> {
  for (const name of ['rules', 'policy']) await tx.lock(`${name} ${workspaceId}`)
  await lockGroups(tx, workspaceId)
  await lockRotas(tx, workspaceId)
  const state = await readState(tx, workspaceId)
  if (!applying.isWatched) refuseWatched(state)
  const file = fileFor(state, applying)
  const before = digestOf(fileOf(state))
  refuseDrift(state, before, applying)
  const { differences } = comparison(state, file, at)
  await write(tx, state, resolveFile(file, state, newIdsFor(file, at), at), at)
  const after = digestOf(fileOf(await readState(tx, workspaceId)))
  await putOrigin(tx, workspaceId, originOf(applying, after, at), at)
  await recordChange(tx, auditStamp(at), {
    workspaceId,
    kind: 'policy.applied',
    personId: applying.by?.id ?? null,
    subjectName: applying.name,
    detail: detailOf(applying, { before, after, differences }),
  })
  tx.emit('policy', workspaceId)
  return { state: after, before, differences, isFromFile: true }
}

/** The same with words that are shown and stored in one line each. */
function inLines({ name, because, commit, ...more }: Applying): Applying {
  return {
    ...more,
    name: cleanLine(name) || 'policy.yaml',
    ...(because && { because: cleanLine(because) }),
    ...(commit && { commit: cleanLine(commit) }),
  }
}

/** Reads and checks a file for this workspace. */
export function fileFor(state: PolicyState, { text }: PolicyText): PolicyFile {
  const { value, lineOf, findings } = readPolicyFile(text)
  const all = value ? [...findings, ...checkFile(value, lineOf, state)] : findings
  const errors = all.filter(({ level }) => level === 'error')
  if (value && errors.length === 0) return value
  throw wrongFields(errors.map(({ line, field, must }) => ({ field: placed(field, line), must })))
}

/** Throws `conflict` while the server reads the file itself: the next look would undo it. */
function refuseWatched({ origin }: Pick<PolicyState, 'origin'>): void {
  if (!origin?.isWatched) return
  throw new Failure(
    'conflict',
    `The server reads its policy from ${origin.name} (BECKON_POLICY_FILE). Change that file, or start the server without the setting; nothing was changed.`,
  )
}

/** `rules[0].match (line 12)` */
function placed(field: string, line: number): string {
  const name = field === '' ? 'file' : field
  return line > 0 ? `${name} (line ${line})` : name
}

/**
 * Throws `conflict` if the workspace is not in the state that the file was made for. Once a file is
 * in force, that is the state since it was applied; before, the one that was exported.
 */
function refuseDrift({ origin }: PolicyState, now: string, { base, text }: Applying): void {
  const expected = base ?? origin?.digest ?? baseIn(text)
  if (expected === now) return
  const cure = 'Look at beckon policy diff, and apply with the --base that it prints.'
  if (expected !== undefined) {
    throw new Failure('conflict', `Policy, groups or rules were changed since. ${cure}`)
  }
  throw new Failure(
    'conflict',
    `Policy, groups and rules were made on the pages so far, and this file does not say which state of them it replaces. ${cure}`,
  )
}

function originOf({ name, by, because, commit, isWatched }: Applying, digest: string, at: number) {
  const origin: PolicyOrigin = {
    ...{ name, digest, at },
    ...(by && { by: by.name }),
    ...(because && { because }),
    ...(commit && { commit }),
    ...(isWatched && { isWatched }),
  }
  return origin
}

type Change = { before: string; after: string; differences: readonly Difference[] }

/** What changed, why, and the digests before and after. */
function detailOf(
  { because, commit, by }: Applying,
  { before, after, differences }: Change,
): string {
  const changes = differences.map(({ part, name, change }) => `${part} ${name} ${change}`)
  const more = changes.length - DETAIL_MAX
  const words = [...changes.slice(0, DETAIL_MAX), ...(more > 0 ? [`${more} more`] : [])]
  return [
    words.join(', ') || 'nothing changed',
    ...(by && !by.id ? [`by ${by.name}`] : []),
    ...(because ? [`because: ${because}`] : []),
    ...(commit ? [`commit ${commit}`] : []),
    `state ${before.slice(0, 16)} → ${after.slice(0, 16)}`,
  ].join('; ')
}

/**
 * Gives policy, groups and rules back to the pages: from a watched file once its setting `isUnset`.
 * Throws `conflict` if they come from no file.
 */
export async function releaseFile(
  { db, clock }: FileDeps,
  workspaceId: WorkspaceId,
  by?: Applying['by'],
  { isUnset = false }: { isUnset?: boolean } = {},
): Promise<void> {
  const now = clock.now()
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    await lockGroups(tx, workspaceId)
    await lockRotas(tx, workspaceId)
    const state = await readState(tx, workspaceId)
    const { origin, groups, members } = state
    if (!origin) {
      throw new Failure('conflict', 'Policy and rules come from no file; nothing was changed.')
    }
    if (!isUnset) refuseWatched({ origin })
    for (const group of groups.filter(({ source }) => source === 'file')) {
      const people = members.filter((one) => one.groupId === group.id && one.source === 'file')
      await putGroupSource(tx, group, 'hand')
      await putGroupMembers(tx, group, 'file', [])
      await putGroupMembers(
        tx,
        group,
        'hand',
        people.map(({ personId }) => personId),
      )
    }
    await releaseRotas(tx, state)
    await putOrigin(tx, workspaceId, null, now)
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'policy.applied',
      personId: by?.id ?? null,
      subjectName: origin.name,
      detail: `given back to the pages${by && !by.id ? ` by ${by.name}` : ''}`,
    })
    tx.emit('policy', workspaceId)
  })
}
