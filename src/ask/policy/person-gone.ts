import type { Read } from '../../platform/db/database.ts'
import { counted, type PersonGone, type Whose } from '../accounts/model/person-gone.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { readVoters } from '../votes/read-voters.ts'
import { dropFromFailover } from './model/gone-store.ts'
import { isEnforced, type Rule, titleOfRule } from './model/rule.ts'
import { approverIds } from './model/rule-approve.ts'
import { listRules, readPolicy, readProtect } from './model/store.ts'
import { wrongProtect } from './protect.ts'
import { type Undecidable, undecidableRules } from './undecidable-rules.ts'

/** The policy and the rules no longer tell them next. */
export const POLICY_OF_GONE: PersonGone = {
  columns: {
    'policies.changes': 'nothing',
    'rules.set': 'nothing',
    'policies.protect': { stays: 'what protects the rules must not become weaker' },
    'rules.approve': { stays: 'a rule that loses a decider must not become weaker' },
  },
  async end(tx, removal) {
    const { workspaceId, personName, by, at } = removal
    const { policy, rules } = await dropFromFailover(tx, removal, at)
    const change = { workspaceId, personId: by.id, personName: by.name }
    const detail = `${personName} was removed, and is no longer told next`
    if (policy) {
      await recordChange(tx, auditStamp(at), { ...change, kind: 'policy.changed', detail })
    }
    for (const { id: subjectId } of rules) {
      const of = { ...change, kind: 'rule.changed', subjectId, detail } as const
      await recordChange(tx, auditStamp(at), of)
    }
    tx.emit('policy', workspaceId)
    return undefined
  },
  async list(read, { workspaceId, personId }) {
    const { failoverTo } = await readPolicy(read, workspaceId)
    const rules = await listRules(read, workspaceId)
    const tells = rules.filter(({ set }) => set.failoverTo?.includes(personId)).length
    const roles = [
      ...(failoverTo.includes(personId) ? ['the policy'] : []),
      ...(tells > 0 ? [counted(tells, 'rule')] : []),
    ]
    const decides = rules.filter(
      (rule) => rule.approve && isEnforced(rule) && approverIds(rule.approve).includes(personId),
    ).length
    const stops = await undecidableWithout(read, rules, { workspaceId, personId })
    return [
      ...(roles.length > 0
        ? [`Being told next by ${roles.join(' and ')} when nobody answers: choose somebody else.`]
        : []),
      ...(decides > 0
        ? [
            `Deciding by name in ${counted(decides, 'rule')}: name somebody else, or fewer may be left than it needs.`,
          ]
        : []),
      ...stops,
    ]
  },
}

/** What too few people are left for without this person. */
async function undecidableWithout(
  read: Read,
  rules: readonly Rule[],
  { workspaceId, personId }: Whose,
): Promise<string[]> {
  const protect = await readProtect(read, workspaceId)
  const voters = await readVoters(read, workspaceId)
  const others = new Map([...voters].filter(([id]) => id !== personId))
  // A rule that stops some calls now may stop all of them then.
  const keyOf = ({ rule, stopsAll }: Undecidable) => `${rule.id} ${stopsAll}`
  const before = new Set(undecidableRules(rules, voters).map(keyOf))
  const names = undecidableRules(rules, others)
    .filter((one) => !before.has(keyOf(one)) && !before.has(`${one.rule.id} true`))
    .map(({ rule }) => titleOfRule(rule))
  const isLocked = protect && wrongProtect(protect, others).length > 0
  return [
    ...(names.length > 0
      ? [
          `Too few people are left for ${counted(names.length, 'rule')}, which then stop calls: ${names.join(', ')}.`,
        ]
      : []),
    ...(isLocked
      ? [
          'Too few people are left to agree to changes of who may decide: only the command line can.',
        ]
      : []),
  ]
}
