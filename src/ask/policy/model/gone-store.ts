import type { Tx } from '../../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Rule } from './rule.ts'
import { changePolicy, listRules, readPolicy, updateRule } from './store.ts'

/** Takes a person out of those who are told next; resolves to the changed rules. */
export async function dropFromFailover(
  tx: Tx,
  { workspaceId, personId }: { workspaceId: WorkspaceId; personId: PersonId },
  now: number,
): Promise<{ policy: boolean; rules: Rule[] }> {
  await tx.lock(`rules ${workspaceId}`)
  const { failoverTo } = await readPolicy(tx, workspaceId)
  const policy = failoverTo.includes(personId)
  if (policy) {
    await changePolicy(tx, workspaceId, { failoverTo: without(failoverTo, personId) }, now)
  }
  const rules = (await listRules(tx, workspaceId)).filter((rule) =>
    rule.set.failoverTo?.includes(personId),
  )
  for (const { id, set } of rules) {
    const failoverTo = without(set.failoverTo ?? [], personId)
    await updateRule(tx, workspaceId, id, { set: { ...set, failoverTo } })
  }
  return { policy, rules }
}

function without(people: readonly PersonId[], personId: PersonId): PersonId[] {
  return people.filter((one) => one !== personId)
}
