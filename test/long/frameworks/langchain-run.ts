import { deserialize, serialize } from 'node:v8'
import { AIMessage } from '@langchain/core/messages'
import { fakeModel } from '@langchain/core/testing'
import { Command, MemorySaver } from '@langchain/langgraph'
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain'
import { decideInterrupts } from '../../../packages/js/src/langchain.ts'
import { reporting } from '../../../packages/js/src/reporting.ts'
import { CALL, did, OPTIONS, report, stored } from '../../packages/js/adapters/run.ts'

// `bun langchain-run.ts FILE [instead]`: see run.ts. What is stored are the checkpoints and the
// interrupts. `instead`: a person who says no may put something in place of the call.
const instead = process.argv[3] === 'instead'
const ran: unknown[] = []
const remove = tool(
  reporting(CALL.tool, (input: unknown) => did(ran, input)),
  { name: CALL.tool, description: 'Deletes a customer.', schema: { type: 'object' } },
)
const model = fakeModel()
const checkpointer = new MemorySaver()
const agent = createAgent({
  model,
  tools: [remove],
  checkpointer,
  middleware: [
    humanInTheLoopMiddleware({
      interruptOn: { [CALL.tool]: { allowedDecisions: ['approve', 'edit', 'reject'] } },
    }),
  ],
})
const thread = { configurable: { thread_id: 't7' } }

const { memory, interrupts } = await stored(async () => {
  model.respondWithTools([{ name: CALL.tool, args: CALL.args, id: 'c1' }])
  const input = { messages: [{ role: 'user', content: 'Remove customer 7.' }] }
  const { __interrupt__ } = (await agent.invoke(input, thread)) as { __interrupt__?: object[] }
  const { storage, writes } = checkpointer
  const bytes = serialize({ storage: { ...storage }, writes: { ...writes } })
  return { memory: bytes.toString('base64'), interrupts: __interrupt__ }
})
const held = deserialize(Buffer.from(memory, 'base64'))
Object.assign(checkpointer.storage, held.storage)
Object.assign(checkpointer.writes, held.writes)
const resume = await decideInterrupts(interrupts, { ...OPTIONS, instead })
model.respond(new AIMessage('done'))
await agent.invoke(new Command({ resume }), thread)
report({ ran, seen: model.calls.at(-1)?.messages.map(({ content }) => content) })
