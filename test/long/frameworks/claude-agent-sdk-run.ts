import { dirname } from 'node:path'
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk'
import { z } from 'zod'
import { canUseTool, outcomeHooks } from '../../../packages/js/src/claude-agent-sdk.ts'
import { CALL, did, OPTIONS, report } from '../../packages/js/adapters/run.ts'
import { anthropic } from '../clients/models/anthropic.ts'
import { startModel } from '../clients/models/model.ts'

// `bun claude-agent-sdk-run.ts FILE`: see run.ts. Nothing is stored; the folder of FILE is its home.
const ran: unknown[] = []
const remove = tool(
  CALL.tool,
  'Deletes a customer.',
  { id: z.number(), why: z.string() },
  async (input) => {
    return { content: [{ type: 'text', text: did(ran, input) }] }
  },
)
const name = `mcp__clerk__${CALL.tool}`
const tools = { [name]: OPTIONS.tools?.[CALL.tool] ?? {} }
using model = startModel(anthropic)
model.plan([{ tool: name, input: CALL.args }])
const home = dirname(process.argv[2] ?? '')

const messages = query({
  prompt: 'Remove customer 7.',
  options: {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'KEY',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    settingSources: [],
    mcpServers: { clerk: createSdkMcpServer({ name: 'clerk', tools: [remove] }) },
    canUseTool: canUseTool({ ...OPTIONS, tools }),
    hooks: outcomeHooks(),
  },
})
for await (const _ of messages);
report({ ran, seen: model.seen.at(-1) })
