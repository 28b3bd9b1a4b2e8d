import type { Read } from '../../platform/db/database.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { listTokens } from '../accounts/model/token-store.ts'
import { type Check, passedCheck, warnedOfEach } from '../check.ts'
import { isEnforced, type Rule, titleOfRule } from '../policy/model/rule.ts'
import { lonelyServiceRules, serviceTokens } from '../policy/model/service-rules.ts'
import { listRules } from '../policy/model/store.ts'
import { undecidableRules } from '../policy/undecidable-rules.ts'
import { readVoters } from '../votes/read-voters.ts'

const NAME_MAX = 60

/** Checks that enough people can agree to what approver rules ask for; no row without such rules. */
export async function approverChecks(
  read: Read,
  workspaces: readonly WorkspaceId[],
): Promise<Check[]> {
  const lists = await Promise.all(
    workspaces.map(async (id) => {
      const approving = (await listRules(read, id)).filter(({ approve }) => approve)
      const rules = approving.filter(isEnforced)
      const watching = approving.length - rules.length
      return {
        rules,
        watching,
        broken: rules.length === 0 ? [] : await brokenRules(read, id, rules),
      }
    }),
  )
  const broken = lists.flatMap((one) => one.broken)
  const watching = lists.reduce((sum, one) => sum + one.watching, 0)
  if (watching === 0 && lists.every(({ rules }) => rules.length === 0)) return []
  const name = 'Who may decide'
  if (broken.length === 0) {
    const all = 'Enough people can agree to what each rule asks for.'
    return [passedCheck('people', name, `${all}${watchingWords(watching)}`)]
  }
  const sentences = broken.map(({ rule, why }) => {
    return `“${cutText(cleanLine(titleOfRule(rule)), NAME_MAX)}” ${why}.`
  })
  const cure =
    'Add people to its groups under Settings, Groups, or change how many the rule asks for.'
  return [warnedOfEach('people', name, sentences, cure)]
}

/** Words how many rules only watch: they stop nothing, whoever is there. */
function watchingWords(count: number): string {
  if (count === 0) return ''
  return count === 1 ? ' One rule only watches.' : ` ${count} rules only watch.`
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
