import { type Fields, isFields } from '../../platform/mcp/message.ts'

/** Returns the client's id of this tool call, as the server reads it. */
export function callIdOf(meta: unknown): string | undefined {
  const { 'claudecode/toolUseId': claude, callId }: Fields = isFields(meta) ? meta : {}
  return [claude, callId].find(isId)
}

// The server's limit (src/ask/tools/tool.ts).
const ID_MAX = 200

export function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= ID_MAX
}
