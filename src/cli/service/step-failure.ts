import { commandLine } from '../../agent/setup/program.ts'
import { Failure } from '../../platform/failure.ts'
import type { ServiceManager } from './manager.ts'
import type { StepsTaken } from './steps.ts'

/**
 * What failed, what was done before it, what was not done, and how to undo what was. `before`: what
 * was done without the service manager; `undo`: the commands that undo that.
 */
export function stepFailure(
  { title }: ServiceManager,
  { done, failed, notDone }: StepsTaken,
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
