import { events, type Wire } from './model.ts'

/** `POST /v1beta/models/MODEL:streamGenerateContent`: Gemini CLI. */
export const gemini: Wire = {
  isTurn: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  reply(use, path) {
    if (path.endsWith(':countTokens')) return Response.json({ totalTokens: 10 })
    const part = use ? { functionCall: { name: use.tool, args: use.input } } : { text: 'done' }
    const answer = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    }
    return path.endsWith(':generateContent') ? Response.json(answer) : events([answer])
  },
}
