import type { Read } from '../../platform/db/database.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { type Check, passedCheck, warnedCheck } from '../check.ts'
import { nameOfRule } from '../policy/model/rule.ts'
import { listRules } from '../policy/model/store.ts'
import { undecidableRules } from '../policy/undecidable-rules.ts'
import { readVoters } from '../votes/read-voters.ts'

const NAME_MAX = 60
const RULES_MAX = 5

/** Checks that enough people can agree to what approver rules ask for; no row without such rules. */
export async function approverChecks(
  read: Read,
  workspaces: readonly WorkspaceId[],
): Promise<Check[]> {
  const lists = await Promise.all(
    workspaces.map(async (id) => {
      const rules = (await listRules(read, id)).filter(({ approve }) => approve)
      const broken = rules.length === 0 ? [] : undecidableRules(rules, await readVoters(read, id))
      return { rules, broken }
    }),
  )
  const broken = lists.flatMap((one) => one.broken)
  if (lists.every(({ rules }) => rules.length === 0)) return []
  const name = 'Who may decide'
  if (broken.length === 0) {
    return [passedCheck('people', name, 'Enough people can agree to what each rule asks for.')]
  }
  const sentences = broken.slice(0, RULES_MAX).map(({ rule, why }) => {
    return `“${cutText(cleanLine(rule.name ?? nameOfRule(rule)), NAME_MAX)}” ${why}.`
  })
  const more = broken.length - RULES_MAX
  const message = [...sentences, ...(more > 0 ? [`${more} more rules like that.`] : [])].join(' ')
  const cure = 'Add people to its groups under Settings, Groups, or ask for fewer in the rule.'
  return [warnedCheck('people', name, message, cure)]
}
