import { readToolArguments } from '../../platform/read-arguments.ts'
import { cancelQuestion } from '../answering/cancel-question.ts'
import type { EndQuestionDeps } from '../questions/end-question.ts'
import type { ToolModule } from '../tools/tool.ts'
import { type WaitForAnswerDeps, waitForAnswer } from '../waiting/wait-for-answer.ts'
import { AskUserInput, askUserInput, withoutIgnored } from '../wire/ask-fields.ts'
import { CancelInput, cancelInput, WaitInput, waitInput } from '../wire/follow-up-fields.ts'
import { leanInput } from '../wire/lean-input.ts'
import { AskUserResult, CancelResult, WaitResult } from '../wire/result-fields.ts'
import { sayCancelled, sayQuestion } from '../wire/sentence.ts'
import { type AskUserDeps, askOrFollow } from './ask-user.ts'

export const askUserTool: ToolModule<AskUserDeps, AskUserInput, AskUserResult> = {
  title: 'Ask the user',
  description: [
    'Asks the person a question on their phone and browser and waits for the answer.',
    'Use it when you cannot go on without their decision: approve something risky or costly, choose between ways that differ in outcome, or supply what only they know.',
    'Do not use it for what you can find out or safely decide yourself, nor to report progress (send_notification does that).',
    'Give type confirm for yes or no, select with 2 to 6 options, or input for free text; put what they need to decide into context and the exact operation into action.',
    'The answer comes back as value (yes or no, the chosen option, or the text), perhaps with a note: read it, it may change the task.',
    'One call waits at most 55 seconds while the question stays open for 10 minutes. timedOut: true means no answer yet, not a refusal.',
    'Where nextAction is wait_for_answer, call that with the correlationId once; then, or where it is not, do what handoffAction says, else nextAction.',
    'With noDevices nobody was told, with paused nothing was sent: do not wait. Do not ask a question again that is open.',
  ].join(' '),
  inputSchema: AskUserInput,
  outputSchema: AskUserResult,
  lean: {
    description: [
      'Asks a person on their phone and browser and waits up to 55 s for the answer.',
      'Only for what they alone can decide: something risky or costly, a choice between outcomes, a fact you cannot find out. Not for progress.',
      'Each result says its next step: follow it. The answer is in value; a note with it may change the task.',
      'No answer is neither a yes nor a no. Never ask again while the question is open.',
    ].join(' '),
    inputSchema: leanInput(AskUserInput, {
      question: 'One or two sentences.',
      type: 'confirm (default): yes or no; select: one of options; input: text.',
      options: 'For select.',
      placeholder: '',
      context: 'What they need to know to decide.',
      action: 'The exact operation, on one line.',
      actionBody: 'Its full diff or command.',
      blocker: 'Why you cannot go on.',
      intent: 'Your task.',
      agentName: '{Agent} - {project}',
      wait: 'false: returns at once; wait_for_answer collects the answer.',
      timeoutMs: 'How long this call waits.',
      callbackUrl: 'Is sent the answer.',
      env: 'Recorded, not delivered.',
      externalIds: '',
      subscriberIds: '',
      tags: 'Only devices with one of these.',
      sessionId: '',
      scopePath: 'A path outside the agreed scope that a yes adds.',
    }),
  },
  read: (args) => askUserInput.parse(readToolArguments(AskUserInput, withoutIgnored(args))),
  run: askOrFollow,
  say: sayQuestion,
  withoutServer({ question, questions, type = 'confirm' }, { correlationId, unread }) {
    if (!correlationId) return undefined
    const [rich] = questions ?? []
    const askInput = rich
      ? { question: rich.question, type: 'select' as const }
      : { question, type }
    return { correlationId, ...askInput, ...unread }
  },
}

export const waitForAnswerTool: ToolModule<WaitForAnswerDeps, WaitInput, WaitResult> = {
  title: 'Wait for an answer',
  description: [
    'Goes on waiting for a question or scope proposal that is already with the person, or reads how it ended.',
    'Use it with the correlationId of an ask_user or propose_scope call that came back with timedOut or was made with wait: false, or with the linkedCorrelationId of a notification.',
    'It asks nothing new and disturbs nobody. It returns at once when the question has ended; otherwise it waits up to timeoutMs, at most 55 seconds.',
    'status says where the question stands: answered comes with value; cancelled, expired, stopped and missing are final, so do not wait for them again; unavailable means that it cannot be read right now.',
    'After timedOut: true do what handoffAction says, else nextAction, instead of polling on. stopped means that the person wants you to end the task.',
  ].join(' '),
  inputSchema: WaitInput,
  outputSchema: WaitResult,
  lean: {
    description:
      'Waits up to 55 s for a question or scope proposal that is already with the person, or reads how it ended. Asks nothing new. Follow the next step in its result.',
    inputSchema: leanInput(WaitInput, { correlationId: '', timeoutMs: '' }),
  },
  read: (args) => waitInput.parse(readToolArguments(WaitInput, args)),
  run: waitForAnswer,
  say: sayQuestion,
  withoutServer: ({ correlationId }, { unread }) => ({ correlationId, ...unread }),
}

export const cancelQuestionTool: ToolModule<EndQuestionDeps, CancelInput, CancelResult> = {
  title: 'Withdraw a question',
  description: [
    'Withdraws a question or scope proposal that is still open, so that the person is not left with one that no longer matters.',
    'Use it when you found the answer yourself, got it another way, changed plans, or were told cancel_then_ask_in_current_client.',
    'Say why in reason, in a few words; the person sees it.',
    'cancelled: true means it is gone. cancelled: false means that something else ended it first; status says what, and when it was answered, value holds the answer: act on that.',
    'It cannot take back an answer, nor a notification, nor what another token asked, unless an owner of the workspace made yours.',
  ].join(' '),
  inputSchema: CancelInput,
  outputSchema: CancelResult,
  lean: {
    description:
      'Withdraws an open question or scope proposal that no longer matters, or when a next step says so. If it was answered first, the answer stands.',
    inputSchema: leanInput(CancelInput, { correlationId: '', reason: 'Shown to the person.' }),
  },
  read: (args) => cancelInput.parse(readToolArguments(CancelInput, args)),
  run: cancelQuestion,
  say: sayCancelled,
  withoutServer: ({ correlationId }) => ({
    correlationId,
    cancelled: false,
    status: 'unavailable',
    hint: 'The server cannot look right now, so nothing was withdrawn. Call cancel_question again shortly.',
  }),
}
