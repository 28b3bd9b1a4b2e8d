import { Agent, MCPServerStreamableHttp, run, setTracingDisabled } from '@openai/agents'
import { gate, model, task, WAIT_MS } from './gate.ts'

setTracingDisabled(true)
const { name, url, headers } = gate
// It waits 60 s for a tool by itself.
const server = new MCPServerStreamableHttp({
  ...{ name, url, requestInit: { headers }, timeout: WAIT_MS },
})
await server.connect()
try {
  const agent = new Agent({ name: 'Clerk', model, mcpServers: [server] })
  const { finalOutput } = await run(agent, task)
  console.log(finalOutput)
} finally {
  await server.close()
}
