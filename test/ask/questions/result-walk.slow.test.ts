import { expect, test } from 'bun:test'
import { cancelQuestion } from '../../../src/ask/answering/cancel-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { changeSwitches } from '../../../src/ask/devices/own-switches.ts'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { reportPresence } from '../../../src/ask/presence/read-sessions.ts'
import { proposeScope } from '../../../src/ask/proposals/propose-scope.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { AskUserInput } from '../../../src/ask/wire/ask-fields.ts'
import type { DeliveryMode } from '../../../src/ask/wire/delivery-mode.ts'
import { settle } from '../../support/fake-clock.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import {
  answered,
  closing,
  during,
  pauseSession,
  stopped,
  type Then,
  timeIsOver,
  WAIT_MS,
  windowIsOver,
  withdrawn,
} from '../../support/result-acts.ts'
import { contradictions, contradictionsOfTelling, fits } from '../../support/result-rules.ts'
import { isLong } from '../../support/share.ts'

const MODES = ['push_first', 'push_only', 'notify_only', 'terminal_only'] as const
type World = FlowWorld & { mode: DeliveryMode; tags?: string[] }

/** Who there is to be told. */
const DEVICES: Record<string, (world: World) => Promise<unknown>> = {
  nobody: async () => {},
  'a browser': ({ device }) => device('laptop'),
  'a phone': ({ device }) => device('phone', { kind: 'phone' }),
  'a chat': ({ device }) => device('chat', { kind: 'chat' }),
  'a chat and a phone that refuses': async ({ device, receipts }) => {
    await device('chat', { kind: 'chat' })
    await device('phone', { kind: 'phone' })
    receipts.set('phone', async () => ({ outcome: 'refused', status: 403, reason: 'no' }))
  },
  'a browser that is gone': async ({ device, receipts }) => {
    await device('laptop')
    receipts.set('laptop', async () => ({ outcome: 'gone', status: 410, reason: 'gone' }))
  },
  'a browser whose service is slow': async ({ device, receipts }) => {
    await device('laptop')
    receipts.set('laptop', async () => ({ outcome: 'later', status: 503, reason: 'busy' }))
  },
  'a browser that is switched off': async ({ device, deps, call }) => {
    await device('laptop', { personId: 'ann' })
    const { workspaceId } = call().caller
    const off = { browser: false }
    await changeSwitches(deps, { id: 'ann', workspaceId }, { question: off, info: off })
  },
  'a browser without the tag': async (world) => {
    await world.device('laptop')
    world.tags = ['wrok']
  },
}

const APPROVAL = { toolName: 'Bash', toolTarget: 'git push', machineId: 'm1' }
type State = { input: Partial<AskUserInput>; before?(world: World, session: string): unknown }
const STATES: Record<string, State> = {
  'an approval': { input: APPROVAL },
  'nobody’s approval': { input: { toolTarget: 'git push' } },
  'a paused session': { input: APPROVAL, before: pauseSession },
  'a paused session that waits': {
    input: { ...APPROVAL, pausedAware: true },
    before: pauseSession,
  },
  'a terminal at work': {
    input: { ...APPROVAL, machineId: 'm2' },
    before: ({ deps, call }) =>
      reportPresence(deps, call().caller.workspaceId, { machineId: 'm2' }),
  },
  'quiet hours': {
    input: APPROVAL,
    before: ({ deps, call }) =>
      setPolicy(deps, call().caller.workspaceId, {
        quietHours: { from: '00:00', to: '23:59', zone: 'UTC' },
      }),
  },
  'test traffic': { input: { env: 'test' } },
}

const ENDS: Record<string, Then> = {
  'the time is over': timeIsOver,
  yes: answered('yes'),
  no: answered('no'),
  'it is withdrawn': withdrawn,
  'the agent is stopped': stopped,
  'the window is over': windowIsOver,
}

let count = 0

/** Every result that one question can bring, each held against the rules. */
async function walk(world: World, row: string, state: State, end: Then): Promise<string[]> {
  const { deps, call, mode } = world
  const faults: string[] = []
  const note = (where: string, broken: string[]) =>
    faults.push(...broken.map((rule) => `${row}, ${where}: ${rule}`))
  for (const waits of [true, false]) {
    const sessionId =
      state.input.toolTarget && !state.input.toolName ? {} : { sessionId: `s${++count}` }
    const tags = world.tags ? { tags: world.tags } : {}
    const requestId = `r${++count}`
    const ask = { question: 'Go?', requestId, ...tags, ...state.input, ...sessionId, wait: waits }
    await state.before?.(world, sessionId.sessionId ?? '')
    const first = await during(world, askUser(deps, ask, call()), end)
    note(`asked, wait ${waits}`, contradictions(first, { tool: 'ask_user', mode, waits }))
    for (const again of [true, false]) {
      const joining = askUser(deps, { ...ask, wait: again }, call())
      const joined = await during(world, joining, timeIsOver)
      note(
        `joined, wait ${again}`,
        contradictions(joined, { tool: 'ask_user', mode, waits: again }),
      )
    }
    const { correlationId } = first
    const waiting = waitForAnswer(deps, { correlationId, timeoutMs: WAIT_MS }, call())
    const waited = await during(world, waiting, timeIsOver)
    note('waited', contradictions(waited, { tool: 'wait_for_answer', mode }))
    const cancelled = await cancelQuestion(deps, { correlationId }, call())
    if (!fits('cancel_question', cancelled)) note('withdrawn', ['it fits its schema'])
    if (!cancelled.cancelled && !cancelled.hint) note('withdrawn', ['a hint says what to do'])
    if (cancelled.cancelled !== (waited.status === 'pending')) note('withdrawn', ['it was open'])
  }
  return faults
}

async function walkScope(world: World, end: Then): Promise<string[]> {
  const { deps, call, mode } = world
  const sessionId = `s${++count}`
  const proposing = proposeScope(deps, { sessionId, doneWhen: 'Green.' }, call())
  const proposed = await during(world, proposing, end)
  const waiting = waitForAnswer(
    deps,
    { correlationId: proposed.correlationId, timeoutMs: WAIT_MS },
    call(),
  )
  const waited = await during(world, waiting, timeIsOver)
  return [
    ...contradictions(proposed, { tool: 'propose_scope', mode }),
    ...contradictions(waited, { tool: 'wait_for_answer', mode }),
  ].map((rule) => `a scope: ${rule}`)
}

async function walkNotifications(world: World): Promise<string[]> {
  const { deps, call } = world
  const faults: string[] = []
  const askQuestion = { question: 'And now?' }
  for (const context of [undefined, { type: 'info', askQuestion } as const]) {
    for (const env of [undefined, 'test'] as const) {
      const input = {
        title: 'Done',
        body: 'All green.',
        ...(context ? { context } : {}),
        ...(env ? { env } : {}),
        ...(world.tags ? { tags: world.tags } : {}),
      }
      const result = await sendNotification(deps, input, call())
      const broken = contradictionsOfTelling(result, env === 'test')
      faults.push(...broken.map((rule) => `a notification (${env ?? 'live'}): ${rule}`))
    }
  }
  return faults
}

/**
 * Every mode with everybody there is to be told in the long run; in the quick one everybody in one
 * mode, and each mode with somebody.
 */
const PLACES = MODES.flatMap((mode, way) =>
  Object.keys(DEVICES)
    .filter((_, i) => isLong || i % MODES.length === way)
    .map((devices) => ({ mode, devices })),
)

test.each(PLACES)(
  '$mode with $devices: no result contradicts itself',
  async ({ mode, devices }) => {
    await using plain = await flowWorld()
    const world: World = Object.assign(plain, { mode })
    const { deps, call } = world
    const { workspaceId } = call().caller
    await setPolicy(deps, workspaceId, { deliveryMode: mode, waitMs: WAIT_MS })
    await DEVICES[devices]?.(world)
    const faults: string[] = []
    for (const [name, end] of Object.entries(ENDS)) {
      faults.push(...(await walk(world, `a question, ${name}`, { input: {} }, end)))
      faults.push(...(await walkScope(world, end)))
    }
    faults.push(...(await walkNotifications(world)))
    for (const [name, state] of Object.entries(STATES)) {
      for (const end of ['the time is over', 'yes'] as const) {
        faults.push(...(await walk(world, `${name}, ${end}`, state, ENDS[end] as Then)))
      }
      await setPolicy(deps, workspaceId, { quietHours: null })
    }
    const hungUp = new AbortController()
    const lost = askUser(deps, { question: 'Lost?' }, call({ signal: hungUp.signal }))
    const result = await during(world, lost, () => hungUp.abort())
    faults.push(
      ...contradictions(result, { tool: 'ask_user', mode }).map((rule) => `hung up: ${rule}`),
    )
    const last = await during(world, askUser(deps, { question: 'Last?' }, call()), closing)
    faults.push(
      ...contradictions(last, { tool: 'ask_user', mode }).map((rule) => `closing: ${rule}`),
    )
    await settle()
    expect([...new Set(faults)]).toEqual([])
  },
)
