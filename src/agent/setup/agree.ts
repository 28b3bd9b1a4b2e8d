import { EXIT } from '../../platform/command.ts'
import { WrongUsage } from '../../platform/failure.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { canAsk } from './ask.ts'
import { isWhole } from './carry-all.ts'
import { askConsent } from './consent.ts'
import type { ClientPlan, Way } from './plan.ts'
import { asData, diffText, planText, type ReportOptions } from './report.ts'

/** What a command was told about asking: `operands` are what it names. */
export type ConsentFlags = {
  operands: readonly string[]
  yes?: boolean | undefined
  json?: boolean | undefined
}

/**
 * Files of other programs are changed only with the person's consent. Resolves to what they agreed
 * to; undefined if to nothing.
 */
export async function askAgreement(
  plans: ClientPlan[],
  way: Way,
  format: ReportOptions,
  flags: ConsentFlags,
) {
  const changes = plans.some(({ outcomes }) => outcomes.some(({ is }) => is === 'to_do'))
  if (!changes || flags.yes) return plans
  if (canAsk() && !flags.json) {
    const accepted = await askConsent(plans, way, format)
    if (!accepted) note('Nothing was changed.')
    return accepted
  }
  if (flags.operands.length > 0) return plans
  throw new WrongUsage('There is no terminal to ask at: name the clients, or give --yes.')
}

/** `--dry-run`: prints what would change. Returns the exit code. */
export function showPlan(
  plans: ClientPlan[],
  way: Way,
  format: ReportOptions,
  flags: ConsentFlags,
): number {
  const ok = plans.every(isWhole)
  if (flags.json) {
    say(JSON.stringify({ ok, dryRun: true, clients: asData(plans, way, format) }, null, 2))
    return ok ? EXIT.done : EXIT.failed
  }
  note(planText(plans, way, format))
  const diff = diffText(plans, format)
  if (diff) say(diff.trimEnd())
  note('Nothing was changed.')
  return ok ? EXIT.done : EXIT.failed
}
