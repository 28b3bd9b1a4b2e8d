import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver } from './driver.ts'
import { chat } from './models/chat.ts'
import { type Model, startModel } from './models/model.ts'
import { OPENCODE_SERVE } from './opencode-serve.ts'
import { openTerminal } from './terminal.ts'

export const OPENCODE_ENV = {
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
}

/** Its own settings, without our server. */
export const opencodeConfig = (model: Model) => ({
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
})

export const opencode: Driver = {
  name: 'opencode',
  package: 'opencode-ai',
  startModel: () => startModel(chat),
  async connect(world, model) {
    const folder = join(world.home, '.config/opencode')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'opencode.json'), JSON.stringify(opencodeConfig(model)))
    await world.setUp('opencode')
  },
  run: (world, _model, binary) =>
    world.run([binary, 'run', 'go', '--format', 'json', '--auto'], {
      env: OPENCODE_ENV,
    }),
  async openPrompt(world, _model, binary) {
    const terminal = await openTerminal(world, [binary], OPENCODE_ENV)
    // The first start in a new home fetches what it cannot reach, which takes most of a minute.
    const isReady = () => terminal.shows(/Ask anything/)
    await isReady().catch(isReady)
    return terminal
  },
  more: OPENCODE_SERVE,
  ours: (tool, input) => ({ tool: `beckon_${tool}`, input }),
  write: (path, content) => ({ tool: 'write', input: { filePath: path, content } }),
  shell: (command) => ({ tool: 'bash', input: { command, description: 'a command' } }),
}
