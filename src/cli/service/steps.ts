import { commandLine } from '../../agent/client-files/program.ts'
import { Failure } from '../../platform/failure.ts'
import { cleanLine } from '../../platform/text.ts'
import type { Machine, ServiceManager, ServiceStep } from './manager.ts'

const PAUSE_MS = 1_000

/** How many steps were taken. */
export type StepReport = {
  done: ServiceStep[]
  /** The step that failed, with its output; undefined if all succeeded. */
  failed: { step: ServiceStep; why: string } | undefined
  notDone: ServiceStep[]
}

/** Takes the steps in order, up to the first that fails. */
export async function takeSteps(
  machine: Machine,
  steps: readonly ServiceStep[],
): Promise<StepReport> {
  const done: ServiceStep[] = []
  for (const [at, step] of steps.entries()) {
    const why = await refusalOf(machine, step)
    if (why !== undefined) return { done, failed: { step, why }, notDone: steps.slice(at + 1) }
    done.push(step)
  }
  return { done, failed: undefined, notDone: [] }
}

/** Why the step failed; undefined if it succeeded. */
async function refusalOf(machine: Machine, step: ServiceStep): Promise<string | undefined> {
  for (let tries = (step.tries ?? 1) - 1; ; tries -= 1) {
    const { code, out, err } = await machine.run(step.words)
    if (code === 0 || step.mayFail) return undefined
    if (tries <= 0) {
      const message = cleanLine(err.trim() || out.trim()).replace(/\.$/, '')
      return message || `it ended with ${code}`
    }
    await Bun.sleep(PAUSE_MS)
  }
}

/**
 * Words a failure: what failed, what was done before it, what was not done, and how to undo what
 * was. `before`: what was done without the service manager; `undo`: the commands that undo that.
 */
export function stepFailure(
  { title }: ServiceManager,
  { done, failed, notDone }: StepReport,
  { before, undo }: { before: readonly string[]; undo: readonly string[] },
): Failure {
  const tried = failed ? [...done, failed.step] : done
  const back = [...tried.toReversed().flatMap((step) => step.undo ?? []), ...undo]
  const did = [...before, ...done.map(({ words }) => commandLine(words))]
  const lines = [
    `${title} could not ${failed?.step.does}: ${failed?.why}.`,
    `Done: ${did.join('; ') || 'nothing'}.`,
    ...(notDone.length === 0
      ? []
      : [`Not done: ${notDone.map(({ words }) => commandLine(words)).join('; ')}.`]),
    ...(did.length > 0 && back.length > 0 ? [`To undo it: ${back.join(' ; ')}`] : []),
  ]
  return new Failure('unavailable', lines.join('\n'))
}
