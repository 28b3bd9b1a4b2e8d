import { cleanLine } from '../../platform/text.ts'
import { declined, ruledOut, STOPPED, unansweredByRule } from '../wire/refusal-words.ts'
import type { Call } from './call.ts'
import type { HoldEnd } from './decider.ts'
import { idText } from './message.ts'

const NOT_RUN = 'Nothing was run.'
const LOOK_FIRST = 'Whether it ran is not known. Look before you call it again.'

/** What the model reads in place of a result. */
export const WORDS = {
  declined: (note: string | undefined) => `${NOT_RUN} ${declined(note)}`,
  ruled: (reason: string | undefined) => `${NOT_RUN} ${ruledOut(reason)}`,
  stopped: `${NOT_RUN} ${STOPPED}`,
  unansweredByRule: (reason: string) => `${NOT_RUN} ${unansweredByRule(reason)}`,
  waits: (reason: string) => `${NOT_RUN} ${reason}`,
  over: `Nobody answered in time, which is neither yes nor no. ${NOT_RUN} The question stays open: the same call, with the same arguments, asks again and runs if the person has said yes by then. Do not do it in another way.`,
  ended: `Nobody answered: the question has ended, which is neither yes nor no. ${NOT_RUN} The same call asks again. Do not do it in another way.`,
  unheard: (why: string) =>
    `This call needs a person, and nobody can be asked now (${cleanLine(why)}). ${NOT_RUN} Go on with what does not need it; the same call asks again.`,
  unused: `The person said yes, but it could not be used for this call: another call has used it, or Beckon cannot be reached. ${NOT_RUN} The same call asks again.`,
  serverEnded: (name: string) =>
    `The server ${name} has ended. ${NOT_RUN} The next call starts it again.`,
  serverLost: (name: string) =>
    `The server ${name} ended during this call, so whether it ran is not known. Look before you call it again.`,
  nothingRan: NOT_RUN,
  lookFirst: LOOK_FIRST,
  asksAgain: (name: string) =>
    `The server ${name} asked a person for more again and again, and is answered no more. ${LOOK_FIRST}`,
  stateTooLong: (name: string) =>
    `The server ${name} asked a person for more, with a state of more than 1 MiB that it wants back; it is not answered. ${LOOK_FIRST}`,
  unreadAnswer: (name: string) => `The answer of the server ${name} cannot be read. ${LOOK_FIRST}`,
  closingAsking: `Beckon is being restarted while the server waited for a person’s answer. ${LOOK_FIRST}`,
  notStarted: (name: string) =>
    `The server ${name} has ended and could not be started again. ${NOT_RUN} Try again in a minute, or tell the person.`,
  closing: `Beckon is being restarted and could not hold this call any longer. ${NOT_RUN} The question stays open: the same call, with the same arguments, asks again in a few seconds.`,
  unread: `This message has a member twice, or with capitals, or is no call that can be read, so what it would do is not known. ${NOT_RUN}`,
} as const

/** A refusal as the result of a call; errors of the protocol are not read well by every client. */
export function refusalLine(
  { message, modern }: Pick<Call, 'message' | 'modern'>,
  text: string,
): string {
  const result = {
    content: [{ type: 'text', text }],
    isError: true,
    ...(modern ? { resultType: 'complete' } : {}),
  }
  return `{"jsonrpc":"2.0","id":${idText(message)},"result":${JSON.stringify(result)}}\n`
}

/** The reason for withdrawing a question that a rule declines. */
export const DECLINES = 'Nobody answered in time; a rule declines it then.'

export function endWords(end: Exclude<HoldEnd, { is: 'yes' | 'aborted' }>): string {
  if (end.is === 'no') return WORDS.declined(end.note)
  return end.is === 'unheard' ? WORDS.unheard(end.why) : WORDS[end.is]
}
