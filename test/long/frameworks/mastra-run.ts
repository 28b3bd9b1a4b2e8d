import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { MockLanguageModelV4 } from 'ai/test'
import { z } from 'zod'
import { protect } from '../../../packages/js/src/protect.ts'
import { CALL, did, OPTIONS, report, stored } from '../../packages/js/adapters/run.ts'

// `bun mastra-run.ts FILE`: see run.ts. What is stored is the call that the model makes.
const ran: unknown[] = []
const args = await stored(async () => CALL.args as object)

const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 }
const base = { warnings: [], usage: { inputTokens: tokens, outputTokens: tokens } }
const call = {
  type: 'tool-call' as const,
  toolCallId: 'c1',
  toolName: CALL.tool,
  input: JSON.stringify(args),
}
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    return prompt.some(({ role }) => role === 'tool')
      ? { ...base, content: [{ type: 'text', text: 'done' }], finishReason: end('stop') }
      : { ...base, content: [call], finishReason: end('tool-calls') }
  },
})

function end<const T>(unified: T) {
  return { unified, raw: undefined }
}

const { tools, ...waiting } = OPTIONS
const options = { ...waiting, ...tools?.[CALL.tool], name: CALL.tool, subject: 't7' }
const removeCustomer = protect(async (input: unknown) => did(ran, input), options)
const remove = createTool({
  id: CALL.tool,
  description: 'Deletes a customer.',
  inputSchema: z.object({ id: z.number(), why: z.string() }),
  execute: (input) => removeCustomer(input),
})
const instructions = 'Do what is asked.'
// Its type of a model is that of its own wrapper.
const about = { id: 'clerk', name: 'clerk', instructions, model: model as never }
const agent = new Agent({ ...about, tools: { remove } })
await agent.generate('Remove customer 7.')
report({ ran, seen: model.doGenerateCalls.at(-1)?.prompt })
