import type { TurnOutcome } from '../../ask/wire/turn-fields.ts'

/** What an event of a client says of the turn of its session. */
export type TurnEvent =
  /** A prompt was submitted, by a person or by something else; `prompt` is its text. */
  | { is: 'began'; prompt?: string }
  | {
      is: 'ended'
      outcome: TurnOutcome
      /** The last words of the agent, or of the error; as the client has them. */
      lastWords?: string
      /** `lastWords` begins with those of the earlier turns of the same prompt. */
      joined?: true
      /** True if an end-of-turn hook made the agent go on before. */
      wentOn?: boolean
    }
  /** A request to the model failed, and the client may try again. */
  | { is: 'trying'; outcome: 'failed' | 'rate_limited'; lastWords?: string }
  /** The session ended. A turn that is open then has failed. */
  | { is: 'over'; reason?: string }

// How clients and vendors say that a limit was reached.
const LIMITED = /rate.?limit|too many requests|\b429\b|quota|usage limit/i

/** The outcome of a turn that an error ended, by the text of the error. */
export function outcomeOfError(text: string): 'failed' | 'rate_limited' {
  return LIMITED.test(text) ? 'rate_limited' : 'failed'
}
