import { createMCPClient } from '@ai-sdk/mcp'
import { openai } from '@ai-sdk/openai'
import { generateText, isStepCount } from 'ai'
import { gate, model, task } from './gate.ts'

const { url, headers } = gate
const client = await createMCPClient({ transport: { type: 'http', url, headers } })
try {
  const { text } = await generateText({
    model: openai(model),
    tools: await client.tools(),
    prompt: task,
    stopWhen: isStepCount(20),
  })
  console.log(text)
} finally {
  await client.close()
}
