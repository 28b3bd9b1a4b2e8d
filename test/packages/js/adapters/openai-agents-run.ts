import { Agent, Runner, RunState, tool } from '@openai/agents-core'
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing'
import { decideInterruptions } from '../../../../packages/js/src/openai-agents.ts'
import { reporting } from '../../../../packages/js/src/reporting.ts'
import { CALL, did, OPTIONS, report, stored } from './run.ts'

// `bun openai-agents-run.ts FILE`: see run.ts.
const ran: unknown[] = []
const remove = tool({
  name: CALL.tool,
  description: 'Deletes a customer.',
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
  strict: false,
  needsApproval: true,
  execute: reporting(CALL.tool, (input: unknown) => did(ran, input)),
})
const model = new ScriptedModel()
const agent = new Agent({ name: 'clerk', model, tools: [remove] })
const runner = new Runner({ tracingDisabled: true })

const text = await stored(async () => {
  model.enqueue([functionCall(CALL.tool, CALL.args, { callId: 'c1' })])
  const { state } = await runner.run(agent, 'Remove customer 7.')
  return state.toString()
})
const state = await RunState.fromString(agent, text)
await decideInterruptions(state, { ...OPTIONS, subject: 'run-7' })
model.enqueue([assistantMessage('done')])
const { finalOutput } = await runner.run(agent, state)
report({ ran, seen: [model.lastCall?.request.input, finalOutput] })
