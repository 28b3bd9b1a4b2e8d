import { join } from 'node:path'
import { type Measured, ROOT, startMeasured } from './process.ts'

/** Beckon as people run it, with a token; from source. */
export async function startBeckon(
  env: Record<string, string> = {},
): Promise<Measured & { token: string }> {
  const program = [process.execPath, join(ROOT, 'src', 'main.ts')]
  const command = (folder: string) => [...program, 'serve', '--port', '0', '--data', folder]
  const measured = await startMeasured(command, env)
  const created = Bun.spawnSync(
    [...program, 'key', 'create', '--name', 'bench', '--json', '--data', measured.folder],
    { cwd: ROOT },
  )
  const { token } = JSON.parse(created.stdout.toString()) as { token: string }
  return Object.assign(measured, { token })
}

export const MCP_PATH = '/api/mcp/mcp'

const COMMON = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** Headers of the eras; the modern one says method and tool in headers too. */
export function oldHeaders(token?: string): Record<string, string> {
  return {
    ...COMMON,
    'mcp-protocol-version': '2025-11-25',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  }
}

export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    ...COMMON,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name ? { 'mcp-name': name } : {}),
  }
}

export function oldMessage(method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

export function modernMessage(method: string, params: object = {}): string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } })
}

export function askMessage(more: object = {}): string {
  const ask = { question: 'Deploy the new version to production now?', agentName: 'Bench - shop' }
  return oldMessage('tools/call', { name: 'ask_user', arguments: { ...ask, ...more } })
}
