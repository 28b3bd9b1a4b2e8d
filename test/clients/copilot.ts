import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver } from './driver.ts'
import { chat } from './models/chat.ts'
import { type Model, startModel } from './models/model.ts'
import type { ClientWorld } from './world.ts'

const EVENTS = ['sessionStart', 'preToolUse', 'postToolUse', 'postToolUseFailure', 'sessionEnd']

const start = (world: ClientWorld, model: Model, binary: string, more: string[]) =>
  world.run([binary, '-p', 'go', ...more], {
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
      COPILOT_MODEL: 'stand-in',
    },
  })

export const copilot: Driver = {
  name: 'copilot',
  package: '@github/copilot',
  startModel: () => startModel(chat),
  async connect(world) {
    if (await world.setUp('copilot')) return
    const folder = join(world.home, '.copilot')
    mkdirSync(join(folder, 'hooks'), { recursive: true })
    const beckon = { type: 'local', command: world.beckon, args: ['mcp'], tools: ['*'] }
    writeFileSync(join(folder, 'mcp-config.json'), JSON.stringify({ mcpServers: { beckon } }))
    const hook = (event: string) => ({
      type: 'command',
      bash: `${world.beckon} hook copilot ${event}`,
      timeoutSec: 600,
    })
    const hooks = Object.fromEntries(EVENTS.map((event) => [event, [hook(event)]]))
    writeFileSync(join(folder, 'hooks/beckon.json'), JSON.stringify({ version: 1, hooks }))
  },
  run: (world, model, binary) => start(world, model, binary, ['--allow-all-tools']),
  ours: (tool, input) => ({ tool: `beckon-${tool}`, input }),
  write: (path, content) => ({ tool: 'create', input: { path, file_text: content } }),
  shell: (command) => ({ tool: 'bash', input: { command, description: 'a command' } }),
}
