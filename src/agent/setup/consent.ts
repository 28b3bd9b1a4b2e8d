import { note } from '../../platform/terminal/terminal.ts'
import { askLine } from './ask.ts'
import type { ClientPlan, Way } from './plan.ts'
import { diffText, planText, type ReportOptions } from './report.ts'

/**
 * Shows what would happen to each file and asks for consent. Resolves to the clients that the
 * person agreed to: any of them can be left out by its number or name, and the rest is shown again.
 * Undefined for a no.
 */
export async function askConsent(
  allPlans: readonly ClientPlan[],
  way: Way,
  format: ReportOptions,
): Promise<ClientPlan[] | undefined> {
  let plans = [...allPlans]
  for (;;) {
    const diff = diffText(plans, format)
    if (diff) note(`\n${diff.trimEnd()}\n`)
    // Printed below the diff, so that the numbers are near the question.
    note(planText(plans, way, format, 'numbered'))
    const what = way === 'write' ? 'Write them?' : 'Undo it?'
    const more = plans.length > 1 ? ', or the numbers to leave out' : ''
    const typed = await askLine(`${what} [Y/n${more}] `)
    if (/^\s*(y(es)?)?\s*$/i.test(typed ?? 'no')) return plans
    const out = chosenPlans(typed ?? '', plans)
    if (!out || out.size === plans.length) return undefined
    plans = plans.filter((plan) => !out.has(plan))
  }
}

/** The plans with these numbers and names; undefined if a word is neither, for example a no. */
function chosenPlans(typed: string, plans: readonly ClientPlan[]): Set<ClientPlan> | undefined {
  const words = typed.split(/[\s,]+/).filter((word) => word !== '')
  const chosenList = words.map(
    (word) =>
      plans[Number(word) - 1] ?? plans.find(({ client }) => client.name === word.toLowerCase()),
  )
  return chosenList.every((plan) => plan !== undefined) ? new Set(chosenList) : undefined
}
