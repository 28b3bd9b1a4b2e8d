import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver } from './driver.ts'
import { chat } from './models/chat.ts'
import { type Model, startModel } from './models/model.ts'
import { openTerminal } from './terminal.ts'

const qwenEnv = (model: Model) => ({
  OPENAI_API_KEY: 'x',
  OPENAI_BASE_URL: `${model.url}/v1`,
  OPENAI_MODEL: 'stand-in',
})

const settings = {
  security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
}

export const qwen: Driver = {
  name: 'qwen',
  package: '@qwen-code/qwen-code',
  startModel: () => startModel(chat),
  async connect(world) {
    const folder = join(world.home, '.qwen')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings))
    await world.setUp('qwen')
  },
  run: (world, model, binary) =>
    world.run([binary, '-p', 'go', '--approval-mode', 'yolo'], { env: qwenEnv(model) }),
  async openPrompt(world, model, binary) {
    const command = [binary, '--approval-mode', 'yolo']
    const terminal = await openTerminal(world, command, qwenEnv(model))
    await terminal.shows(/Type your message/)
    return terminal
  },
  ours: (tool, input) => ({ tool: `mcp__beckon__${tool}`, input }),
  write: (path, content) => ({ tool: 'write_file', input: { file_path: path, content } }),
  shell: (command) => ({
    tool: 'run_shell_command',
    input: { command, description: 'a command', is_background: false },
  }),
}
