import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, createMiddleware, ToolMessage } from 'langchain'
import { gate, model, task, WAIT_MS } from './gate.ts'

const { name, url, headers } = gate
const client = new MultiServerMCPClient({
  mcpServers: {
    // It waits 60 s for a tool by itself.
    [name]: { ...{ transport: 'http', url, headers }, defaultToolTimeout: WAIT_MS },
  },
})

// By itself LangChain adds "Please fix your mistakes" to what was declined.
const asItIs = createMiddleware({
  name: 'tool errors as they are',
  async wrapToolCall(request, handler) {
    try {
      return await handler(request)
    } catch (error) {
      const { id = '', name } = request.toolCall
      const { message } = error as Error
      return new ToolMessage({ tool_call_id: id, name, content: message, status: 'error' })
    }
  },
})

try {
  const agent = createAgent({
    model: new ChatOpenAI({ model }),
    tools: await client.getTools(),
    middleware: [asItIs],
  })
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: task }] })
  console.log(messages.at(-1)?.text)
} finally {
  await client.close()
}
