import type { Config } from '../../platform/config/config.ts'
import type { Read, Tx } from '../../platform/db/database.ts'
import { canonicalText } from '../../platform/signing/canonical.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { GuardedChange } from '../accounts/model/guarded-change.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { auditStamp } from '../audit/model/audit.ts'
import {
  eraseProvider,
  type ProviderEdit,
  writeLocalSignIn,
  writeProvider,
} from '../company/change-providers.ts'
import type { Provider } from '../company/model/provider.ts'
import { findProvider } from '../company/model/provider-store.ts'
import { writeDirectory, writeDirectoryToken } from '../directory/directories.ts'
import type { Directory, DirectoryToken } from '../directory/model/store.ts'
import { listDirectories, listDirectoryTokens } from '../directory/model/store.ts'
import { dropGroup, type GroupEdit, readGroup, writeGroup } from '../groups/groups.ts'
import type { Group } from '../groups/model/group.ts'
import { type OwnerEdit, readOwnership, writeOwner } from '../people/token-owner.ts'
import type { Protect } from '../policy/model/protect.ts'
import type { Rule } from '../policy/model/rule.ts'
import { findRule, readProtect } from '../policy/model/store.ts'
import { writeProtect } from '../policy/protect.ts'
import { dropRule, type RuleEdit, writeNewRule, writeRule } from '../policy/write-rule.ts'
import { type Applying, writeFile } from '../policy-file/apply-file.ts'
import { digestOf, fileOf, readState } from '../policy-file/model/policy-state.ts'
import type { PolicyToken } from '../policy-file/model/store.ts'
import { writePolicyToken } from '../policy-file/policy-tokens.ts'
import type { LocalSignIn } from '../sign-in/company-access.ts'

/** In whose name a change is made, at what time. */
export type Act = Pick<Config, 'company'> & {
  by: { workspaceId: WorkspaceId; id: PersonId; name: string }
  at: number
}

type Change<I> = {
  /** Says in a few words what it does, where policy, groups and rules do not show it. */
  words?: (input: I) => string[]
  /** Why somebody wants it, in their words. */
  why?: (input: I) => string | undefined
  /** What it is about, as it is now: if that is otherwise when people agree, nothing is changed. */
  basis(read: Read, workspaceId: WorkspaceId, input: I): Promise<unknown>
  /** Makes the change. Throws a `Failure` before it writes anything. */
  write(tx: Tx, act: Act, input: I): Promise<unknown>
}

const author = ({ by, at }: Act) => ({ by: by.id || undefined, stamp: auditStamp(at) })

const RULES = {
  'rule.add': entry<Rule>({
    basis: async () => null,
    write: (tx, act, rule) => writeNewRule(tx, rule, author(act)),
  }),
  'rule.change': entry<RuleEdit>({
    basis: ruleNow,
    write: (tx, act, edit) => writeRule(tx, act.by.workspaceId, edit, author(act)),
  }),
  'rule.remove': entry<Pick<Rule, 'id'>>({
    basis: ruleNow,
    write: (tx, act, of) => dropRule(tx, act.by.workspaceId, of, author(act)),
  }),
  'group.change': entry<GroupEdit>({ basis: groupNow, write: writeGroup }),
  'group.remove': entry<Pick<Group, 'id'>>({ basis: groupNow, write: dropGroup }),
  'protect.set': entry<{ protect: Protect | null }>({
    basis: async () => null,
    write: (tx, { by, at }, input) =>
      writeProtect(tx, { workspaceId: by.workspaceId, by: by.id, at }, input),
  }),
  'file.apply': entry<Applying>({
    why: whyApplied,
    basis: async (read, workspaceId) => digestOf(fileOf(await readState(read, workspaceId))),
    write: (tx, { by, at }, applying) =>
      writeFile(tx, { workspaceId: by.workspaceId, at }, applying),
  }),
}

const TOKENS = {
  'token.hand_over': entry<OwnerEdit>({
    words: ({ words }) => [`~ ${words}`],
    basis: (read, _, { id }) => readOwnership(read, id),
    write: writeOwner,
  }),
}

const ENTRANCES = {
  'provider.save': entry<ProviderEdit>({
    words: ({ provider, isNew }) => providerWords(provider, isNew),
    basis: (read, _, { provider }) => providerNow(read, provider.id),
    write: writeProvider,
  }),
  'provider.remove': entry<Pick<Provider, 'id'>>({
    words: ({ id }) => [`- sign-in provider ${id}`],
    basis: (read, _, { id }) => providerNow(read, id),
    write: eraseProvider,
  }),
  'sign_in.local': entry<{ local: LocalSignIn }>({
    words: ({ local }) => [`~ passwords and passkeys: ${local}`],
    basis: async () => null,
    write: writeLocalSignIn,
  }),
  'directory.add': entry<{ directory: Directory; row: DirectoryToken }>({
    words: ({ directory, row }) => [`+ directory ${directory.name}, with the token …${row.tail}`],
    basis: (read, workspaceId) => listDirectories(read, workspaceId),
    write: writeDirectory,
  }),
  'directory.token': entry<DirectoryToken>({
    words: ({ tail }) => [`+ a token of a directory, …${tail}`],
    basis: async (read, _, { directoryId }) =>
      (await listDirectoryTokens(read, directoryId)).map(({ id }) => id),
    write: writeDirectoryToken,
  }),
  'policy_token.add': entry<PolicyToken>({
    words: ({ name, tail }) => [`+ a token that applies policy files: ${name}, …${tail}`],
    basis: async () => null,
    write: writePolicyToken,
  }),
}

/** Every change that others may have to agree to. `test/ask/protect/writers.test.ts` lists who makes them. */
export const CHANGES: Readonly<Record<string, Change<never>>> = {
  ...RULES,
  ...TOKENS,
  ...ENTRANCES,
}

function entry<I>(change: Change<I>): Change<never> {
  return change as unknown as Change<never>
}

function entryOf({ kind, input }: GuardedChange): Change<unknown> & { input: unknown } {
  const change = CHANGES[kind]
  if (!change) throw new Error(`nothing makes the change ${kind}`)
  return { ...(change as unknown as Change<unknown>), input }
}

/** Makes a proposed change. Throws a `Failure` before it writes anything. */
export async function makeChange(tx: Tx, change: GuardedChange, act: Act): Promise<void> {
  const { write, input } = entryOf(change)
  await write(tx, act, input)
}

/** The digest of what a change is about, and of who has to agree to it. */
export async function basisOf(read: Read, change: GuardedChange): Promise<string> {
  const { basis, input } = entryOf(change)
  const { workspaceId } = change
  const protect = await readProtect(read, workspaceId)
  const now = [protect ?? null, (await basis(read, workspaceId, input)) ?? null]
  return sha256(canonicalText(JSON.parse(JSON.stringify(now))))
}

/** What a change does besides what policy, groups and rules show. */
export function wordsOf(change: GuardedChange): string[] {
  const { words, input } = entryOf(change)
  return words?.(input) ?? []
}

/** Why somebody wants a change, where they said so. */
export function whyOf(change: GuardedChange): string | undefined {
  const { why, input } = entryOf(change)
  return why?.(input)
}

function whyApplied({ because, commit }: Applying): string | undefined {
  const parts = [because && `Why: ${because}`, commit && `Commit: ${commit}`]
  return parts.filter(Boolean).join('\n') || undefined
}

function ruleNow(read: Read, workspaceId: WorkspaceId, { id }: Pick<Rule, 'id'>) {
  return findRule(read, workspaceId, id)
}

async function groupNow(read: Read, workspaceId: WorkspaceId, { id }: Pick<Group, 'id'>) {
  return (await readGroup(read, workspaceId, id)).seen
}

async function providerNow(read: Read, id: string) {
  const provider = await findProvider(read, id)
  // Without its secret, which nobody may learn from a digest.
  return provider && { ...provider, secret: provider.secret !== null }
}

function providerWords(
  { secret: _, isFixed: __, workspaceId: ___, ...all }: Provider,
  isNew: boolean,
) {
  const settings = Object.entries(all).filter(([name]) => name !== 'id')
  return [
    `${isNew ? '+' : '~'} sign-in provider ${all.name}`,
    ...settings.map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`),
  ]
}
