import { META } from '../../platform/mcp/era.ts'
import { type Fields, metaOf, type RpcRequest } from '../../platform/mcp/message.ts'

/**
 * What a request of 2026-07-28 must repeat of its body over HTTP (MCP 2026-07-28, transports);
 * nothing for the era with a handshake.
 */
export function requestHeaders(asked: RpcRequest): Record<string, string> {
  const version = metaOf(asked)[META.version]
  if (typeof version !== 'string') return {}
  const name = nameOf(asked.params)
  return {
    'mcp-protocol-version': headerValue(version),
    'mcp-method': headerValue(asked.method),
    ...(name === undefined ? {} : { 'mcp-name': headerValue(name) }),
  }
}

function nameOf({ name, uri, taskId }: Fields): string | undefined {
  return [name, uri, taskId].find((value) => typeof value === 'string') as string | undefined
}

/** As it is where a header can hold it, else in Base64. */
function headerValue(text: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')) return text
  return `=?base64?${Buffer.from(text).toString('base64')}?=`
}
