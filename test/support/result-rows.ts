import { askUser } from '../../src/ask/asking/ask-user.ts'
import { setPolicy } from '../../src/ask/policy/change-policy.ts'
import { waitForAnswer } from '../../src/ask/waiting/wait-for-answer.ts'
import type { AskUserInput } from '../../src/ask/wire/ask-fields.ts'
import type { DeliveryMode } from '../../src/ask/wire/delivery-mode.ts'
import type { AskUserResult, WaitResult } from '../../src/ask/wire/result-fields.ts'
import type { FlowWorld } from './flow-world.ts'
import {
  APPROVAL,
  ASK,
  answered,
  closing,
  during,
  newest,
  pauseSession,
  spoiled,
  stopped,
  type Then,
  timeIsOver,
  WAIT_MS,
  windowIsOver,
  withdrawn,
} from './result-acts.ts'

export type Result = AskUserResult | WaitResult

/** A way for a call to return, and what it must say. */
type ResultRow = {
  /** What happened, in words. */
  when: string
  modes: readonly DeliveryMode[]
  /** The fields that say why, with their values. */
  has: Partial<AskUserResult & WaitResult>
  /** Fields that must be there, whatever they say. */
  with?: readonly (keyof AskUserResult)[]
  nextAction?: NonNullable<AskUserResult['nextAction']>
  handoffAction?: NonNullable<AskUserResult['handoffAction']>
  run(world: FlowWorld): Promise<Result>
}

const PUSHED = ['push_first', 'push_only'] as const
const FIRST = ['push_first'] as const
const ONLY = ['push_only'] as const
const ALL = ['push_first', 'push_only', 'notify_only', 'terminal_only'] as const

const WAIT = { nextAction: 'wait_for_answer' } as const
const HERE = { nextAction: 'ask_in_current_client' } as const
const HAND_OVER = { handoffAction: 'cancel_then_ask_in_current_client' } as const
const STOP = { handoffAction: 'stop' } as const

const ask =
  (input: AskUserInput, then: Then = () => {}) =>
  async (world: FlowWorld): Promise<Result> => {
    await world.device('laptop')
    return await during(world, askUser(world.deps, input, world.call()), then)
  }

const wait =
  (then: Then, input: AskUserInput = ASK) =>
  async (world: FlowWorld): Promise<Result> => {
    const { deps, call } = world
    await world.device('laptop')
    const { correlationId } = await askUser(deps, { ...input, wait: false }, call())
    const waiting = waitForAnswer(deps, { correlationId, timeoutMs: WAIT_MS }, call())
    return await during(world, waiting, then)
  }

/** Read once the window is over. */
const late = async (world: FlowWorld) => {
  const { deps, call } = world
  const { correlationId } = await ask({ ...ASK, wait: false })(world)
  await windowIsOver(world, await newest(world))
  return await waitForAnswer(deps, { correlationId }, call())
}

const alone = (input: AskUserInput) => (world: FlowWorld) =>
  askUser(world.deps, input, world.call())

const missed = async (world: FlowWorld) => {
  await world.device('laptop')
  return await askUser(world.deps, { ...ASK, tags: ['wrok'] }, world.call())
}

const pausedAnd = (input: AskUserInput, then?: Then) => async (world: FlowWorld) => {
  await pauseSession(world)
  return await ask(input, then)(world)
}

const aware = { ...APPROVAL, pausedAware: true }
const unattributed = { ...ASK, toolTarget: 'git push' }
const test = { ...ASK, env: 'test' } as const

export const ROWS: readonly ResultRow[] = [
  {
    when: 'somebody answered',
    modes: PUSHED,
    has: { status: 'answered', answered: true, value: 'yes' },
    run: ask(ASK, answered('yes')),
  },
  {
    when: 'the time of the call is over',
    modes: FIRST,
    has: { status: 'pending', answered: false, timedOut: true },
    ...WAIT,
    ...HAND_OVER,
    run: ask(ASK, timeIsOver),
  },
  {
    when: 'the time of the call is over',
    modes: ONLY,
    has: { status: 'pending', answered: false, timedOut: true },
    ...WAIT,
    run: ask(ASK, timeIsOver),
  },
  {
    when: '`wait: false`',
    modes: PUSHED,
    has: { status: 'pending' },
    ...WAIT,
    run: ask({ ...ASK, wait: false }),
  },
  {
    when: 'the server restarts',
    modes: PUSHED,
    has: { status: 'pending', answered: false, timedOut: true },
    ...WAIT,
    run: ask(ASK, closing),
  },
  {
    when: 'no device is connected, or none takes the push',
    modes: FIRST,
    has: { status: 'pending', noDevices: true },
    with: ['warning'],
    ...HERE,
    ...HAND_OVER,
    run: alone(ASK),
  },
  {
    when: 'no device is connected, or none takes the push',
    modes: ONLY,
    has: { status: 'pending', noDevices: true },
    with: ['warning'],
    ...HERE,
    ...STOP,
    run: alone(ASK),
  },
  {
    when: 'no device is connected, or none takes the push',
    modes: ['notify_only'],
    has: { status: 'notified', mode: 'notify_only', noDevices: true },
    with: ['warning'],
    ...HERE,
    run: alone(ASK),
  },
  {
    when: 'no device has the tag that was named',
    modes: FIRST,
    has: { status: 'pending', noDevices: true, warning: 'No device has the tag wrok' },
    ...HERE,
    ...HAND_OVER,
    run: missed,
  },
  {
    when: 'no device has the tag that was named',
    modes: ONLY,
    has: { status: 'pending', noDevices: true, warning: 'No device has the tag wrok' },
    ...HERE,
    ...STOP,
    run: missed,
  },
  {
    when: 'the person answers in the terminal',
    modes: ['notify_only'],
    has: { status: 'notified', mode: 'notify_only' },
    ...HERE,
    run: ask(ASK),
  },
  {
    when: 'the person answers in the terminal',
    modes: ['terminal_only'],
    has: { status: 'terminal', mode: 'terminal_only' },
    ...HERE,
    run: ask(ASK),
  },
  {
    when: 'the session is paused',
    modes: FIRST,
    has: { status: 'pending', paused: true },
    ...HAND_OVER,
    run: pausedAnd(APPROVAL),
  },
  {
    when: 'the session is paused',
    modes: ONLY,
    has: { status: 'pending', paused: true },
    ...STOP,
    run: pausedAnd(APPROVAL),
  },
  {
    when: 'the same with `pausedAware`, after the whole wait',
    modes: FIRST,
    has: { status: 'pending', paused: true, timedOut: true },
    ...HAND_OVER,
    run: pausedAnd(aware, timeIsOver),
  },
  {
    when: 'the same with `pausedAware`, after the whole wait',
    modes: ONLY,
    has: { status: 'pending', paused: true, timedOut: true },
    ...STOP,
    run: pausedAnd(aware, timeIsOver),
  },
  {
    when: 'test traffic',
    modes: ALL,
    has: { status: 'pending', held: 'test_traffic', env: 'test' },
    ...WAIT,
    run: ask(test),
  },
  {
    when: 'an approval with neither `toolName` nor `sessionId`',
    modes: ['push_first', 'notify_only', 'terminal_only'],
    has: { status: 'pending', held: 'unattributed' },
    ...HERE,
    ...HAND_OVER,
    run: ask(unattributed),
  },
  {
    when: 'an approval with neither `toolName` nor `sessionId`',
    modes: ONLY,
    has: { status: 'pending', held: 'unattributed' },
    ...HERE,
    ...STOP,
    run: ask(unattributed),
  },
  {
    when: 'it was withdrawn',
    modes: PUSHED,
    has: { status: 'cancelled', answered: false },
    run: ask(ASK, withdrawn),
  },
  {
    when: 'the person stopped the agent',
    modes: PUSHED,
    has: { status: 'stopped', answered: false },
    ...STOP,
    run: ask(ASK, stopped),
  },
  {
    when: 'nobody answered in 10 minutes',
    modes: FIRST,
    has: { status: 'expired', answered: false },
    run: late,
  },
  {
    when: 'nobody answered in 10 minutes',
    modes: ONLY,
    has: { status: 'expired', answered: false },
    ...STOP,
    run: late,
  },
  {
    when: '`wait_for_answer`: its time is over too',
    modes: FIRST,
    has: { status: 'pending', answered: false, timedOut: true },
    ...HERE,
    ...HAND_OVER,
    run: wait(timeIsOver),
  },
  {
    when: '`wait_for_answer`: its time is over too',
    modes: ONLY,
    has: { status: 'pending', answered: false, timedOut: true },
    ...WAIT,
    run: wait(timeIsOver),
  },
  {
    when: '`wait_for_answer`: nobody has this id',
    modes: ALL,
    has: { status: 'missing', answered: false },
    run: ({ deps, call }) => waitForAnswer(deps, { correlationId: 'q_unknown' }, call()),
  },
  {
    when: 'the question is stored and cannot be read now',
    modes: PUSHED,
    has: { status: 'unavailable', answered: false },
    ...WAIT,
    run: ask(ASK, async (world, question) => {
      await spoiled(world, question)
      await timeIsOver(world, question)
    }),
  },
]

/** The world in which a row is played. */
export async function play(row: ResultRow, mode: DeliveryMode, world: FlowWorld): Promise<Result> {
  const { deps, call } = world
  await setPolicy(deps, call().caller.workspaceId, { deliveryMode: mode, waitMs: WAIT_MS })
  return await row.run(world)
}
