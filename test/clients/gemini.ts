import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver } from './driver.ts'
import { gemini as wire } from './models/gemini.ts'
import { startModel } from './models/model.ts'

export const gemini: Driver = {
  name: 'gemini',
  package: '@google/gemini-cli',
  startModel: () => startModel(wire),
  async connect(world) {
    const folder = join(world.home, '.gemini')
    mkdirSync(folder, { recursive: true })
    const own = {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    }
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(own))
    await world.setUp('gemini')
  },
  run: (world, model, binary) =>
    world.run([binary, '-p', 'go', '-m', 'gemini-2.5-pro', '--approval-mode', 'yolo'], {
      env: { GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: model.url },
    }),
  ours: (tool, input) => {
    // It hides every tool named ask_user when it runs alone.
    const name = tool === 'ask_user' ? 'ask_human' : tool
    return { tool: `mcp_beckon_${name}`, input }
  },
  write: (path, content) => ({ tool: 'write_file', input: { file_path: path, content } }),
  shell: (command) => ({ tool: 'run_shell_command', input: { command } }),
}
