import { choose } from '../../platform/terminal/choose.ts'
import { note } from '../../platform/terminal/terminal.ts'
import type { ClientPlan, Way } from './plan.ts'
import { diffText, planText, type ReportOptions } from './report.ts'

/**
 * Says what would happen to each file and asks for consent; the differences are shown when the person
 * asks for them. Resolves to the clients that the person agreed to: any of them can be left out.
 * Undefined for a no.
 */
export async function askConsent(
  plans: readonly ClientPlan[],
  way: Way,
  format: ReportOptions,
): Promise<ClientPlan[] | undefined> {
  note(`\n${planText(plans, way, format)}\n`)
  const [question, yes] =
    way === 'write' ? ['Write them?', 'Yes, write'] : ['Undo it?', 'Yes, undo']
  const diff = diffText(plans, format)
  const show = () => note(`\n${diff.trimEnd()}\n`)
  const actions = [
    { key: 'y', label: yes },
    ...(diff ? [{ key: 'd', label: 'Show the differences', show }] : []),
    { key: 'n', label: 'No, change nothing' },
  ]
  const rows = plans.length > 1 ? plans.map(({ client }) => client.title) : []
  const choice = await choose(question, rows, actions)
  const chosen = plans.filter((_, i) => rows.length === 0 || choice?.isOn[i])
  return choice?.key === 'y' && chosen.length > 0 ? chosen : undefined
}
