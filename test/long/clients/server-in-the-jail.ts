import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { INSTALLED } from './installed.ts'
import type { ToolUse } from './models/model.ts'
import { check, ended, opened, type Scenario, type Stage, short } from './stage.ts'

/** A server from npm that writes into a file that no argument of its tools names. */
const SERVER = join(INSTALLED, 'memory/node_modules/.bin/mcp-server-memory')
const NAME = 'memory'

/** Where each client has its servers. */
const FILES: Readonly<Record<string, { file: string; list: string }>> = {
  claude: { file: '.claude.json', list: 'mcpServers' },
  codex: { file: '.codex/config.toml', list: 'mcp_servers' },
  opencode: { file: '.config/opencode/opencode.json', list: 'mcp' },
  gemini: { file: '.gemini/settings.json', list: 'mcpServers' },
  cline: { file: '.cline/data/settings/cline_mcp_settings.json', list: 'mcpServers' },
  droid: { file: '.factory/mcp.json', list: 'mcpServers' },
}

export const SERVER_IN_THE_JAIL: Scenario = {
  name: 'an MCP server of its own that writes outside the scope',
  play: serverHeld,
}

async function serverHeld(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  const at = FILES[driver.name]
  if (!at || !existsSync(SERVER)) return 'not possible: the server is not installed'
  const file = (name: string) => join(world.project, name)
  for (const name of ['src', 'lib']) mkdirSync(file(name), { recursive: true })
  addServer(join(world.home, at.file), at.list, file('lib/memory.jsonl'))
  await world.setUp(driver.name, '--jail-server', NAME)
  const doneWhen = 'The scope holds servers.'
  const proposal = { doneWhen, allowedPaths: ['src'], timeoutMs: 55_000 }
  model.plan([
    entity(stage, 'before'),
    (body) => {
      const sessionId = /sessionId of this session is \\*"([^"\\]+)/.exec(body)?.[1]
      return driver.ours('propose_scope', sessionId ? { ...proposal, sessionId } : proposal)
    },
    entity(stage, 'after'),
  ])
  const running = driver.run(world, model, binary)
  const question = await Promise.race([opened(stage, doneWhen), running.then(ended)])
  const before = readFileSync(file('lib/memory.jsonl'), 'utf8')
  await world.house.answer(question.correlationId, { value: 'yes' })
  const ran = await running
  const seen = model.seen.map(short)
  check(before.includes('before'), 'without a scope the server did not write', { ran, seen })
  const after = readFileSync(file('lib/memory.jsonl'), 'utf8')
  check(after === before, 'the server wrote outside the scope', { ran, seen })
  const error = /E(ROFS|ACCES)[^"\\,]{0,40}/.exec(model.seen.at(-1) ?? '')?.[0]
  check(error !== undefined, 'the model was not told why', { ran, seen })
  return `the server wrote before the yes, and not after it; the model read "${error}"`
}

function entity({ driver }: Stage, name: string): ToolUse {
  const entities = [{ name, entityType: 'note', observations: ['seen'] }]
  const ours = driver.ours('create_entities', { entities })
  const text = JSON.stringify(ours).replaceAll('beckon', NAME)
  return JSON.parse(text)
}

/** Allowed to write this file, and to be called without asking. */
function addServer(path: string, list: string, file: string): void {
  const env = { MEMORY_FILE_PATH: file }
  mkdirSync(dirname(path), { recursive: true })
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (path.endsWith('.toml')) {
    const table = `command = "${SERVER}"\nenv = { MEMORY_FILE_PATH = "${file}" }`
    const more = 'default_tools_approval_mode = "approve"'
    writeFileSync(path, `${text}\n[${list}.${NAME}]\n${table}\n${more}\n`)
    return
  }
  const data = JSON.parse(text || '{}')
  const local = { type: 'local', command: [SERVER], environment: env, enabled: true }
  const stdio = { type: 'stdio', command: SERVER, args: [], env, trust: true }
  data[list] = { ...data[list], [NAME]: list === 'mcp' ? local : stdio }
  writeFileSync(path, JSON.stringify(data))
}
