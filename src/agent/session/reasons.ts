import { NEITHER } from '../../ask/wire/outcome-texts.ts'
import { cleanLine } from '../../platform/text.ts'
import type { SessionPlace } from './context.ts'

// What the model reads: the path, the rule, and what to do next. Never contents or tokens. Names of
// files and words of a rule are put on one line, so that none of them can look like a sentence of
// ours.

const CHANGED_MAX = 20
const NEXT = 'Do not retry it or work around it'

export function offLimits({ path, rule }: { path: string; rule: string }): string {
  return `${cleanLine(path)} is off limits in the scope of this session (rule ${cleanLine(rule)}). ${NEXT}; if the task needs it, ask the person for another scope with propose_scope.`
}

export function unclear({ path, why }: { path: string; why: string }): string {
  return `What ${JSON.stringify(path)} means is not clear (${why}), so it is not touched while a scope holds. Name the file directly.`
}

export function refusedBy(path: string, note: string | undefined): string {
  const noteText = note ? ` They say: ${JSON.stringify(note)}.` : ''
  return `The person does not want ${cleanLine(path)} to be changed: it is outside the scope of this session.${noteText} ${NEXT}.`
}

export function refusedByRule(path: string, reason: string | undefined): string {
  return `${cleanLine(path)} is outside the scope of this session, and a rule of the workspace refuses it${reason ? ` (${cleanLine(reason)})` : ''}. ${NEXT}.`
}

export function stopped(): string {
  return 'The person wants you to stop. End your turn, and say what is done and what is not.'
}

/** For a person at the terminal. */
export function askHere(path: string, why: string): string {
  return `${cleanLine(path)} is outside the scope of this session. It could not be settled on the phone: ${why}. Allow it here?`
}

export function unanswered(path: string, why: string): string {
  return `${cleanLine(path)} is outside the scope of this session, and nobody decided about it (${why}), ${NEITHER.approval}. Go on with what lies within the scope, and name this path at the end; ${NEXT.toLowerCase()}.`
}

export function tooMany(paths: readonly string[]): string {
  return `${paths.length} places are outside the scope of this session (${paths.slice(0, 5).map(cleanLine).join(', ')}, …): too many to ask about one by one. Ask the person for another scope with propose_scope.`
}

/** About a change that no call named; nobody knows who made it. */
export function filesChangedOutside(
  files: ReadonlyArray<{ shown: string; rule?: string | undefined }>,
  count: number,
): string {
  const descriptions = files
    .slice(0, CHANGED_MAX)
    .map(({ shown: path, rule }) =>
      rule === undefined
        ? JSON.stringify(path)
        : `${JSON.stringify(path)} (rule ${cleanLine(rule)})`,
    )
  const more = count > descriptions.length ? ` and ${count - descriptions.length} more` : ''
  return `Beckon: files changed that the scope of this session does not cover: ${descriptions.join(', ')}${more}. The person is told. If a command of yours did it, do not do it again, and do not undo it without asking: say what happened and why, and if the task needs it ask for another scope with propose_scope. If it was not yours, leave it alone.`
}

/**
 * Words the attempts of a command that the scope forbids; by path, with the rule if it is off
 * limits.
 */
export function stoppedByKernel(stopped: ReadonlyMap<string, string | undefined>): string {
  const outside = [...stopped].filter(([, rule]) => rule === undefined).map(([path]) => path)
  const barred = [...stopped].filter(([, rule]) => rule !== undefined)
  const descriptions = barred.map(
    ([path, rule]) => `${cleanLine(path)} (rule ${cleanLine(rule ?? '')})`,
  )
  return [
    'Beckon: this command ran inside the scope of this session, and the system stopped it where it went beyond.',
    ...(outside.length > 0
      ? [
          `Not changed, as it is outside: ${outside.map((path) => JSON.stringify(path)).join(', ')}. If the task needs it, ask the person: ask_user with this path as scopePath, then run the command again.`,
        ]
      : []),
    ...(descriptions.length > 0 ? [`Off limits: ${descriptions.join(', ')}.`] : []),
    `${NEXT} in another way.`,
  ].join(' ')
}

export function tooLong(): string {
  return 'This call is longer than the hook reads (5 MB), or names more places than it looks at, so it cannot be checked against the scope of this session. Do it in smaller parts.'
}

export function opaque(why: string): string {
  return `It is not clear what this command would change (${why}), and the hook of this machine is strict about that while a scope holds. Write it out without that, or use the tools for files.`
}

export function noSession(): string {
  return 'A scope holds on this machine, and the call does not say which session it belongs to: nothing is changed.'
}

export function doubtful({ client, sessionId }: SessionPlace, why: string): string {
  return `A person agreed to a scope for this session, but the hook's copy of it cannot be used (${why}): nothing may be changed until it is read again. Tell the person to run this in a terminal of their own: beckon hook ${client} --refresh --session=${quoted(sessionId)}`
}

/** Words the failure of a hook for the model and the person: nothing passes unsaid. */
export function faulty(fault: string): string {
  return `The hook of Beckon cannot work on this machine: ${cleanLine(fault)}. Nobody can be asked, and whether a scope holds is not known. The person corrects that with "beckon setup", in a terminal of their own.`
}

export function unknownClient(clientName: string): string {
  return `The hook of Beckon cannot work here: its command names the client ${JSON.stringify(cleanLine(clientName))}, which Beckon does not know. Nothing is checked and nobody can be asked, so nothing runs. The person corrects the entry with "beckon setup", in a terminal of their own.`
}

export function ownCommandRefused(command: string): string {
  return `${cleanLine(command)} is not for agents: it would change or switch off what watches you, or let you answer yourself. The person is told. ${NEXT}; if the task needs it, ask the person to run it in a terminal of their own.`
}

export function ownFileRefused(path: string): string {
  return `${cleanLine(path)} belongs to Beckon, or contains files that do: its settings, its state, its program or its data. An agent does not change it. The person is told. ${NEXT}; if the task needs it, ask the person to do it in a terminal of their own.`
}

export function atStakeRefused(says: string, note: string | undefined): string {
  const noteText = note ? ` They say: ${JSON.stringify(note)}.` : ''
  return `The person does not want this to run. ${says}.${noteText} ${NEXT}.`
}

export function atStakeUnanswered(says: string): string {
  return `This was not run. ${says}, and nobody decided about it in time or could be asked, ${NEITHER.approval}. ${NEXT}: go on with what does not need it, commit what is there first if that is yours to do, or ask the person.`
}

/** For a person at the terminal. */
export function askHereAtStake(says: string): string {
  return `${says}. It could not be settled on the phone. Allow it here?`
}

/** For a person at the terminal. */
export function askHereByRule(why: string): string {
  return `Rules of the workspace may say who has to agree to this call, and they cannot be asked now: ${why}. Allow it here?`
}

export function notAskedByRule(why: string): string {
  return `This was not run. Rules of the workspace may say who has to agree to such a call, and they cannot be asked now (${why}), ${NEITHER.approval}. ${NEXT}: go on with what does not need it, try it again later, and name it at the end.`
}

export function tooLongForRule(): string {
  return `This call is too long to be read or shown whole, and rules of the workspace may say who has to agree to it, so it was not run. Do it in smaller steps.`
}

function quoted(text: string): string {
  return /^[\w.:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
