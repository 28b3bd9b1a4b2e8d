import { events, newCallId, type ToolUse, type Wire } from './model.ts'

/** `POST /v1/responses`: Codex. A tool with text for input is one that takes it raw. */
export const responses: Wire = {
  isTurn: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  reply(use) {
    const id = newCallId('resp_')
    const item = use ? itemOf(use) : message
    return events([
      { type: 'response.created', response: { id } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id, usage } },
    ])
  },
}

const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
}
const message = {
  type: 'message',
  role: 'assistant',
  id: 'msg_1',
  content: [{ type: 'output_text', text: 'done', annotations: [] }],
}

function itemOf({ tool, namespace, input }: ToolUse) {
  const call = { id: newCallId('fc_'), call_id: newCallId('call_'), name: tool }
  if (typeof input === 'string') return { type: 'custom_tool_call', ...call, input }
  const where = namespace === undefined ? {} : { namespace }
  return { type: 'function_call', ...call, ...where, arguments: JSON.stringify(input) }
}
