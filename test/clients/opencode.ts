import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCodeShim } from '../../src/cli/clients/opencode/shim.ts'
import type { Driver } from './driver.ts'
import { chat } from './models/chat.ts'
import { startModel } from './models/model.ts'

export const opencode: Driver = {
  name: 'opencode',
  package: 'opencode-ai',
  startModel: () => startModel(chat),
  async connect(world, model) {
    const folder = join(world.home, '.config/opencode')
    mkdirSync(join(folder, 'plugins'), { recursive: true })
    const own = {
      model: 'local/stand-in',
      small_model: 'local/stand-in',
      autoupdate: false,
      provider: {
        local: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${model.url}/v1`, apiKey: 'x' },
          models: { 'stand-in': { tool_call: true, limit: { context: 100_000, output: 4_000 } } },
        },
      },
    }
    const config = join(folder, 'opencode.json')
    writeFileSync(config, JSON.stringify(own))
    if (await world.setUp('opencode')) return
    const beckon = {
      type: 'local',
      command: [world.beckon, 'mcp'],
      enabled: true,
      timeout: 120_000,
    }
    writeFileSync(config, JSON.stringify({ ...own, mcp: { beckon } }))
    writeFileSync(join(folder, 'plugins/beckon.js'), openCodeShim([world.beckon]))
  },
  run: (world, _model, binary) =>
    world.run([binary, 'run', 'go', '--format', 'json', '--auto'], {
      env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    }),
  ours: (tool, input) => ({ tool: `beckon_${tool}`, input }),
  write: (path, content) => ({ tool: 'write', input: { filePath: path, content } }),
  shell: (command) => ({ tool: 'bash', input: { command, description: 'a command' } }),
}
