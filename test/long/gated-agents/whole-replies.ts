import { newCallId, type ToolUse, type Wire } from '../clients/models/model.ts'

/** Both wires of OpenAI without streams, as the frameworks use them. */
export const wholeReplies: Wire = {
  isTurn: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  reply: (use, path) =>
    Response.json(path.endsWith('/chat/completions') ? completion(use) : response(use)),
}

const DONE = 'done'

function completion(use: ToolUse | undefined) {
  const call = use && {
    ...{ id: newCallId('call_'), type: 'function' },
    function: { name: use.tool, arguments: JSON.stringify(use.input) },
  }
  const message = call ? { content: null, tool_calls: [call] } : { content: DONE }
  return {
    ...{ id: newCallId('chatcmpl-'), object: 'chat.completion', created: 1, model: 'stand-in' },
    choices: [
      {
        ...{ index: 0, finish_reason: call ? 'tool_calls' : 'stop' },
        message: { role: 'assistant', ...message },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }
}

function response(use: ToolUse | undefined) {
  const output = use
    ? {
        ...{ type: 'function_call', id: newCallId('fc_'), call_id: newCallId('call_') },
        ...{ name: use.tool, arguments: JSON.stringify(use.input), status: 'completed' },
      }
    : {
        ...{ type: 'message', role: 'assistant', id: newCallId('msg_'), status: 'completed' },
        content: [{ type: 'output_text', text: DONE, annotations: [] }],
      }
  return {
    ...{ id: newCallId('resp_'), object: 'response', created_at: 1, model: 'stand-in' },
    ...{ status: 'completed', output: [output] },
    usage: {
      ...{ input_tokens: 10, output_tokens: 5, total_tokens: 15 },
      ...{ input_tokens_details: { cached_tokens: 0 } },
      ...{ output_tokens_details: { reasoning_tokens: 0 } },
    },
  }
}
