import type { Clock } from '../../platform/clock.ts'
import { answerForm, type FormAnswer } from './answer-form.ts'
import type { Call } from './call.ts'
import type { Decider } from './decider.ts'
import type { FieldQuestion } from './elicitation-form.ts'
import type { Execution, Executions } from './executions.ts'
import { type Answers, type Inputs, resend, stateIn, withoutForms } from './inputs.ts'
import type { Message } from './message.ts'
import type { Progress } from './progress.ts'
import { WORDS } from './refusal.ts'

// As clients of the newer era do.
const ROUNDS_MAX = 10
const STATE_MAX = 1024 * 1024

type RoundWays = {
  name: string
  clock: Clock
  decider: Pick<Decider, 'ask'>
  executions: Executions
  progress: Progress
  holdMsOf(call: Call): number
  forward(call: Call): void
  /** Gives the client what is for itself; these answers are added when it repeats the call. */
  end(execution: Execution, message: Message, answers: Answers): void
  giveUp(execution: Execution, text: string): void
}

/**
 * What a server asks for in the result of a call, for clients that show no forms: a person answers,
 * and the call is sent again with that, under the yes that it has.
 */
export class InputRounds {
  readonly #ways: RoundWays
  #count = 0

  constructor(ways: RoundWays) {
    this.#ways = ways
  }

  async answer(execution: Execution, message: Message, inputs: Inputs): Promise<void> {
    const { name, executions, progress, forward, end, giveUp } = this.#ways
    execution.state = 'asking'
    execution.rounds += 1
    const state = stateIn(message)
    if (execution.rounds > ROUNDS_MAX) return giveUp(execution, WORDS.asksAgain(name))
    if ((state?.length ?? 0) > STATE_MAX) return giveUp(execution, WORDS.stateTooLong(name))
    const answers = await this.#ask(execution, inputs.forms)
    if (execution.isOver) return
    if (inputs.hasMore) {
      const text = withoutForms(message.text, answers)
      return end(execution, { ...message, text }, answers)
    }
    const [first = execution.call] = execution.waiting.values()
    const again = resend(first, `beckon-again-${++this.#count}`, answers, state)
    for (const call of execution.waiting.values()) progress.startRound(call)
    executions.sendAgain(execution, again)
    execution.state = 'forwarded'
    forward(again)
  }

  /** Asks for all forms at once, for as long as the client waits. */
  async #ask(execution: Execution, forms: Inputs['forms']): Promise<Answers> {
    const { name, clock, decider, holdMsOf, progress } = this.#ways
    const { call, over, beganAt } = execution
    const ways = {
      ...{ name, clock, until: beganAt + holdMsOf(call) },
      ask: (question: FieldQuestion, ms: number) => decider.ask(question, call, ms, over.signal),
    }
    using _ = progress.start(execution.waiting)
    const work = forms.map(
      async ([key, params]): Promise<[string, FormAnswer]> => [key, await answerForm(params, ways)],
    )
    return Object.fromEntries(await Promise.all(work))
  }
}
