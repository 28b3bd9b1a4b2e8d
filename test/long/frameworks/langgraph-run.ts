import { deserialize, serialize } from 'node:v8'
import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  START,
  StateGraph,
} from '@langchain/langgraph'
import { answerInterrupts, type InterruptAnswer } from '../../../packages/js/src/langgraph.ts'
import { reporting } from '../../../packages/js/src/reporting.ts'
import { CALL, did, OPTIONS, report, stored } from '../../packages/js/adapters/run.ts'

// `bun langgraph-run.ts FILE [VALUE]`: see run.ts. What is stored are the checkpoints and the
// interrupts. VALUE: the JSON that a node asks with in place of the call.
const value = process.argv[3] && JSON.parse(process.argv[3])
const ran: unknown[] = []
const remove = reporting(CALL.tool, (input: unknown) => did(ran, input))
const State = Annotation.Root({ result: Annotation<unknown>() })

async function clerk() {
  if (value) return { result: interrupt(value) }
  const answer: InterruptAnswer = interrupt({ tool: CALL.tool, arguments: CALL.args })
  const approved = 'approved' in answer && answer.approved
  return { result: approved ? await remove(CALL.args).catch(String) : answer }
}

const checkpointer = new MemorySaver()
const graph = new StateGraph(State)
  .addNode('clerk', clerk)
  .addEdge(START, 'clerk')
  .addEdge('clerk', END)
  .compile({ checkpointer })
const thread = { configurable: { thread_id: 't7' } }

const { memory, interrupts } = await stored(async () => {
  const { __interrupt__ } = (await graph.invoke({}, thread)) as { __interrupt__?: object[] }
  const { storage, writes } = checkpointer
  const bytes = serialize({ storage: { ...storage }, writes: { ...writes } })
  return { memory: bytes.toString('base64'), interrupts: __interrupt__ }
})
const held = deserialize(Buffer.from(memory, 'base64'))
Object.assign(checkpointer.storage, held.storage)
Object.assign(checkpointer.writes, held.writes)
const resume = await answerInterrupts(interrupts, OPTIONS)
const { result: seen } = await graph.invoke(new Command({ resume }), thread)
report({ ran, seen })
