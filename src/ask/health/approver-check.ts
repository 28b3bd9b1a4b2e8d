import type { Read } from '../../platform/db/database.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { listTokens } from '../accounts/model/token-store.ts'
import { type Check, passedCheck, warnedCheck } from '../check.ts'
import { nameOfRule, type Rule } from '../policy/model/rule.ts'
import { lonelyServiceRules, serviceTokens } from '../policy/model/service-rules.ts'
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
      return { rules, broken: rules.length === 0 ? [] : await brokenRules(read, id, rules) }
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
  const cure =
    'Add people to its groups under Settings, Groups, or change how many the rule asks for.'
  return [warnedCheck('people', name, message, cure)]
}

async function brokenRules(read: Read, id: WorkspaceId, rules: readonly Rule[]) {
  const services = serviceTokens(await listTokens(read, id))
  return [
    ...undecidableRules(rules, await readVoters(read, id)),
    ...lonelyServiceRules(rules, services).map(({ rule, token }) => {
      const service = cutText(cleanLine(token.name), NAME_MAX)
      return { rule, why: `lets one person agree to what the service ${service} asks: need two` }
    }),
  ]
}
