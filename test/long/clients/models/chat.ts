import { events, newCallId, type Wire } from './model.ts'

/** `POST /v1/chat/completions`: OpenCode and Copilot CLI. */
export const chat: Wire = {
  isTurn: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  reply(use) {
    const head = { id: newCallId('chatcmpl-'), object: 'chat.completion.chunk', model: 'stand-in' }
    const chunk = (delta: object, finish: string | null = null) => ({
      ...head,
      created: 1,
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
    const delta = use
      ? {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              index: 0,
              id: newCallId('call_'),
              type: 'function',
              function: { name: use.tool, arguments: JSON.stringify(use.input) },
            },
          ],
        }
      : { role: 'assistant', content: 'done' }
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    return events(
      [chunk(delta), { ...chunk({}, use ? 'tool_calls' : 'stop'), usage }],
      'data: [DONE]\n\n',
    )
  },
}
