/** @jsxImportSource preact */

import type { Read } from '../../../platform/db/database.ts'
import { durationWords } from '../../../platform/duration.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { listPeople } from '../../accounts/model/person-store.ts'
import { listGroups } from '../../groups/model/store.ts'
import { SafeText } from '../../pages/marked.tsx'
import { shortName } from '../../pages/short-name.ts'
import { readTarget, type Target } from '../../votes/model/target.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleApprove } from '../model/rule-approve.ts'
import { nameIn, type RuleNames } from './policy-words.ts'

/** The names of groups and people, where rules name any. */
export async function readRuleNames(
  read: Read,
  workspaceId: WorkspaceId,
  rules: ReadonlyArray<Pick<Rule, 'approve' | 'match' | 'mode'>>,
): Promise<RuleNames> {
  if (!rules.some(({ approve, match, mode }) => approve || match.owner || mode)) return new Map()
  const all = [...(await listGroups(read, workspaceId)), ...(await listPeople(read, workspaceId))]
  return new Map(all.map(({ id, name }) => [id, shortName(name)]))
}

/** Where a yes is given, what the rule is not for, and who is notified. */
export function ApproveWords({ approve, names }: { approve: RuleApprove; names: RuleNames }) {
  const { where, except = [], tell, escalate = [] } = approve
  const limits = [
    ...(where?.length === 1 ? [`A yes is given ${PLACES[where[0] ?? 'page']}.`] : []),
    ...(except.length > 0 ? [`Not for ${kindsWords(except.length)} that it excepts.`] : []),
  ]
  return (
    <>
      {limits.length > 0 && <p class="soft">{limits.join(' ')}</p>}
      {(tell || escalate.length > 0) && (
        <p class="soft">
          <SafeText text={tellingWords(approve, names)} />
        </p>
      )}
    </>
  )
}

const PLACES = { page: 'on the page', chat: 'in a chat' } as const

function kindsWords(count: number): string {
  return count === 1 ? 'one kind of call' : `${count} kinds of call`
}

/** `Notifies engineers; after 10 min whoever is on call in platform.` */
export function tellingWords(
  { tell, escalate = [] }: Pick<RuleApprove, 'tell' | 'escalate'>,
  names: RuleNames,
): string {
  const listWords = (targets: readonly Target[]) =>
    targets.map((one) => targetWords(one, names)).join(', ')
  const first = tell ? listWords(tell) : 'whoever may decide'
  const steps = escalate.map((one) => `after ${durationWords(one.afterMs)} ${listWords(one.tell)}`)
  return `Notifies ${[first, ...steps].join('; ')}.`
}

function targetWords(target: Target, names: RuleNames): string {
  const read = readTarget(target)
  if (read.is === 'owners') return 'owners'
  if (read.is === 'oncall') return `whoever is on call in ${read.name}`
  return read.is === 'channel' ? `the channel ${read.name}` : nameIn(names, read.id)
}

/** What a rule asks for that its form has no fields for. */
export function moreWords({ no, except, where }: RuleApprove, names: RuleNames): string {
  const parts = [
    no && `ends with a no of ${no.map((id) => nameIn(names, id)).join(' or ')} alone`,
    except && `is not for ${kindsWords(except.length)}`,
    where?.length === 1 && `takes a yes ${PLACES[where[0] ?? 'page']} alone`,
  ].filter((part) => typeof part === 'string')
  return parts.length > 0 ? `It also ${parts.join(', ')}. Saving the form keeps that.` : ''
}

/** True if a caller could avoid the rule by calling itself otherwise. */
export function isClaimed({ match, approve }: Pick<Rule, 'match' | 'approve'>): boolean {
  const isProven = match.owner !== undefined || match.token !== undefined
  return approve !== undefined && !isProven && Object.keys(match).length > 0
}

export function Claimed() {
  return (
    <p class="sub">
      Rules match on what agents say of themselves, such as tool and repository. One that names an
      owner, or is for every call, cannot be avoided.
    </p>
  )
}
