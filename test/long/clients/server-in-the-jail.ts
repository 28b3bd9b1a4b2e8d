import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { INSTALLED } from './installed.ts'
import type { ToolUse } from './models/model.ts'
import { addServer, serversFile, toolOf } from './own-servers.ts'
import { check, ended, opened, type Scenario, type Stage, short } from './stage.ts'

/** A server from npm that writes into a file that no argument of its tools names. */
const SERVER = join(INSTALLED, 'memory/node_modules/.bin/mcp-server-memory')
const NAME = 'memory'

export const SERVER_IN_THE_JAIL: Scenario = {
  name: 'an MCP server of its own that writes outside the scope',
  play: serverHeld,
}

async function serverHeld(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  if (!serversFile(stage) || !existsSync(SERVER)) return 'not possible: the server is not installed'
  const file = (name: string) => join(world.project, name)
  for (const name of ['src', 'lib']) mkdirSync(file(name), { recursive: true })
  const env = { MEMORY_FILE_PATH: file('lib/memory.jsonl') }
  addServer(stage, { name: NAME, words: [SERVER], env })
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

function entity(stage: Stage, name: string): ToolUse {
  const entities = [{ name, entityType: 'note', observations: ['seen'] }]
  return toolOf(stage, NAME, 'create_entities', { entities })
}
