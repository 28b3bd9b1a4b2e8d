import { events, newCallId, type Wire } from './model.ts'

/** `POST /v1/messages`: Claude Code. */
export const anthropic: Wire = {
  isTurn: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  reply(use, path) {
    if (path.endsWith('/count_tokens')) return Response.json({ input_tokens: 10 })
    const block = use
      ? { type: 'tool_use', id: newCallId('toolu_'), name: use.tool, input: {} }
      : { type: 'text', text: '' }
    const delta = use
      ? { type: 'input_json_delta', partial_json: JSON.stringify(use.input) }
      : { type: 'text_delta', text: 'done' }
    return events([
      {
        type: 'message_start',
        message: {
          id: newCallId('msg_'),
          type: 'message',
          role: 'assistant',
          model: 'stand-in',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 10, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: use ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: 5 },
      },
      { type: 'message_stop' },
    ])
  },
}
