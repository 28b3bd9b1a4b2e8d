import { counted, type PersonGone } from '../accounts/model/person-gone.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { dropFromFailover } from './model/gone-store.ts'
import { approverIds } from './model/rule-approve.ts'
import { listRules, readPolicy } from './model/store.ts'

/** The policy and the rules no longer tell them next. */
export const POLICY_OF_GONE: PersonGone = {
  columns: {
    'policies.changes': 'nothing',
    'rules.set': 'nothing',
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
    const rules = (await listRules(read, workspaceId)).filter((rule) =>
      rule.set.failoverTo?.includes(personId),
    ).length
    const roles = [
      ...(failoverTo.includes(personId) ? ['the policy'] : []),
      ...(rules > 0 ? [counted(rules, 'rule')] : []),
    ]
    const decides = (await listRules(read, workspaceId)).filter(
      ({ approve }) => approve && approverIds(approve).includes(personId),
    ).length
    return [
      ...(roles.length > 0
        ? [`Being told next by ${roles.join(' and ')} when nobody answers: choose somebody else.`]
        : []),
      ...(decides > 0
        ? [
            `Deciding by name in ${counted(decides, 'rule')}: name somebody else, or fewer may be left than it needs.`,
          ]
        : []),
    ]
  },
}
