import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver } from './driver.ts'
import { gemini as wire } from './models/gemini.ts'
import { type Model, startModel } from './models/model.ts'
import { openTerminal, type Terminal } from './terminal.ts'
import { waitsThere } from './waits-there.ts'
import type { ClientWorld } from './world.ts'

export const geminiEnv = (model: Model) => ({
  GEMINI_API_KEY: 'x',
  GOOGLE_GEMINI_BASE_URL: model.url,
})
/** Its own settings, without our server. */
export const geminiSettings = {
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
}
const MODEL = ['-m', 'gemini-2.5-pro']

async function open(world: ClientWorld, model: Model, binary: string): Promise<Terminal> {
  const terminal = await openTerminal(world, [binary, ...MODEL], geminiEnv(model))
  // It draws its prompt before it takes what is typed.
  await terminal.shows(/Type your message/)
  await Bun.sleep(10_000)
  return terminal
}

export const gemini: Driver = {
  name: 'gemini',
  package: '@google/gemini-cli',
  startModel: () => startModel(wire),
  async connect(world) {
    const folder = join(world.home, '.gemini')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(geminiSettings))
    await world.setUp('gemini')
  },
  run: (world, model, binary) =>
    world.run([binary, '-p', 'go', ...MODEL, '--approval-mode', 'yolo'], { env: geminiEnv(model) }),
  openPrompt: open,
  ours: (tool, input) => {
    // It hides every tool named ask_user when it runs alone.
    const name = tool === 'ask_user' ? 'ask_human' : tool
    return { tool: `mcp_beckon_${name}`, input }
  },
  write: (path, content) => ({ tool: 'write_file', input: { file_path: path, content } }),
  shell: (command) => ({ tool: 'run_shell_command', input: { command } }),
  more: [waitsThere(open)],
}
