import { generateText, isStepCount, jsonSchema, type ModelMessage, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { answerApprovals, toolApproval } from '../../../../packages/js/src/ai-sdk.ts'
import { reporting } from '../../../../packages/js/src/reporting.ts'
import { CALL, did, OPTIONS, report, stored } from './run.ts'

// `bun ai-sdk-run.ts FILE [inline]`: see run.ts. `inline` asks while the step waits.
const isInline = process.argv[3] === 'inline'
const ran: unknown[] = []

const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 }
const base = { warnings: [], usage: { inputTokens: tokens, outputTokens: tokens } }
const call = {
  type: 'tool-call' as const,
  toolCallId: 'c1',
  toolName: CALL.tool,
  input: JSON.stringify(CALL.args),
}
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const isDone = prompt.some(({ role, content }) =>
      role === 'tool' ? JSON.stringify(content).includes('tool-result') : false,
    )
    return isDone
      ? { ...base, content: [{ type: 'text', text: 'done' }], finishReason: end('stop') }
      : { ...base, content: [call], finishReason: end('tool-calls') }
  },
})

function end<const T>(unified: T) {
  return { unified, raw: undefined }
}

const tools = {
  [CALL.tool]: tool({
    inputSchema: jsonSchema<object>({ type: 'object' }),
    execute: reporting(CALL.tool, (input: object) => did(ran, input)),
  }),
}

function turn(messages: ModelMessage[]) {
  const approval = isInline ? toolApproval(OPTIONS) : ({ [CALL.tool]: 'user-approval' } as const)
  return generateText({ model, tools, messages, toolApproval: approval, stopWhen: isStepCount(4) })
}

const message: ModelMessage = { role: 'user', content: 'Remove customer 7.' }
if (isInline) await turn([message])
else {
  const messages = await stored(async () => [message, ...(await turn([message])).responseMessages])
  await turn([...messages, await answerApprovals(messages, OPTIONS)])
}
report({ ran, seen: model.doGenerateCalls.at(-1)?.prompt })
