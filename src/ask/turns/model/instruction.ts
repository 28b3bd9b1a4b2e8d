import type { Id } from '../../../platform/ids.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'

export type InstructionId = Id<'ins'>

/**
 * `waiting`: nobody has it yet. `handed_over`: the hook wrote it, or the client's queue took it.
 * `taken`: the next event of the session showed that the agent began with it.
 */
export type InstructionState = 'waiting' | 'handed_over' | 'taken' | 'withdrawn'

/** The chat that an instruction came from; undefined: a page. */
export type InstructionVia = 'telegram' | 'slack'

const VIA_WORDS: Record<InstructionVia, string> = { telegram: 'in Telegram', slack: 'in Slack' }

/** What a person tells a session to do next. */
export type SessionInstruction = {
  id: InstructionId
  workspaceId: WorkspaceId
  /** The session. */
  session: Id<'ses'>
  personId: PersonId
  personName: string
  text: string
  via: InstructionVia | undefined
  state: InstructionState
  createdAt: number
  handedOverAt: number | undefined
  takenAt: number | undefined
  endedAt: number | undefined
}

/** Each move of an instruction: from which states, and to which. */
export const MOVES = {
  hand_over: { from: ['waiting'], to: 'handed_over' },
  take: { from: ['handed_over'], to: 'taken' },
  /** The client did not begin with it: it waits again. */
  give_back: { from: ['handed_over'], to: 'waiting' },
  withdraw: { from: ['waiting'], to: 'withdrawn' },
} as const satisfies Record<string, { from: readonly InstructionState[]; to: InstructionState }>

export type Move = keyof typeof MOVES

/**
 * The text for the model. The name before it says that it is a person's, and keeps a client from
 * taking a leading `/` or `!` for a command.
 */
export function wordsFor({ personName, text, via }: SessionInstruction): string {
  return `From ${personName} ${via ? VIA_WORDS[via] : 'on the phone'}: ${text}`
}

/** Whether a client would take the text for a command if it were typed. */
export function looksLikeCommand(text: string): boolean {
  return /^\s*[/!]/.test(text)
}
