import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ToolUse } from './models/model.ts'
import type { Stage } from './stage.ts'

/** Where each client has its servers. */
const FILES: Readonly<Record<string, { file: string; list: string }>> = {
  claude: { file: '.claude.json', list: 'mcpServers' },
  codex: { file: '.codex/config.toml', list: 'mcp_servers' },
  opencode: { file: '.config/opencode/opencode.json', list: 'mcp' },
  copilot: { file: '.copilot/mcp-config.json', list: 'mcpServers' },
  gemini: { file: '.gemini/settings.json', list: 'mcpServers' },
  qwen: { file: '.qwen/settings.json', list: 'mcpServers' },
  cline: { file: '.cline/data/settings/cline_mcp_settings.json', list: 'mcpServers' },
  droid: { file: '.factory/mcp.json', list: 'mcpServers' },
}

export type OwnServer = { name: string; words: string[]; env?: Record<string, string> }

/** The file in which this client has its servers. */
export function serversFile({ driver, world }: Stage): string | undefined {
  const at = FILES[driver.name]
  return at && join(world.home, at.file)
}

/** Adds a server to those of the client, which may be called without asking at the client. */
export function addServer(stage: Stage, { name, words, env = {} }: OwnServer): void {
  const path = serversFile(stage) ?? ''
  const list = FILES[stage.driver.name]?.list ?? ''
  mkdirSync(dirname(path), { recursive: true })
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const [command, ...args] = words
  if (path.endsWith('.toml')) {
    const lines = [
      ...[`[${list}.${name}]`, `command = ${JSON.stringify(command)}`],
      ...[`args = ${JSON.stringify(args)}`, 'default_tools_approval_mode = "approve"'],
      // Else Codex tells its model only of servers that are there within a second.
      ...['required = true', 'startup_timeout_sec = 60'],
      `env = { ${Object.entries(env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)} }`,
    ]
    writeFileSync(path, `${text}\n${lines.join('\n')}\n`)
    return
  }
  const data = JSON.parse(text || '{}')
  const local = { type: 'local', command: words, environment: env, enabled: true }
  const stdio = { type: 'stdio', command, args, env, trust: true }
  const copilot = { type: 'local', command, args, env, tools: ['*'] }
  const entry = list === 'mcp' ? local : stage.driver.name === 'copilot' ? copilot : stdio
  data[list] = { ...data[list], [name]: entry }
  writeFileSync(path, JSON.stringify(data, null, 2))
}

/** A tool of one of these servers, as the model of this client names it. */
export function toolOf({ driver }: Stage, server: string, tool: string, input: object): ToolUse {
  const { input: _, ...names } = driver.ours(tool, {})
  return { ...JSON.parse(JSON.stringify(names).replaceAll('beckon', server)), input }
}
