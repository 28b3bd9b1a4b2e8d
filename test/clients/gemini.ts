import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver } from './driver.ts'
import { gemini as wire } from './models/gemini.ts'
import { startModel } from './models/model.ts'

const EVENTS = ['SessionStart', 'BeforeTool', 'AfterTool', 'SessionEnd']

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
    const settings = join(folder, 'settings.json')
    writeFileSync(settings, JSON.stringify(own))
    if (await world.setUp('gemini')) return
    const command = `${world.beckon} hook gemini`
    const hook = { name: 'beckon', type: 'command', command, timeout: 600_000 }
    // The matcher of a lifecycle event is no pattern: with one, it never fires.
    const entry = (event: string) => (event.includes('Tool') ? { matcher: '.*' } : {})
    const hooks = Object.fromEntries(
      EVENTS.map((event) => [event, [{ ...entry(event), hooks: [hook] }]]),
    )
    const beckon = { command: world.beckon, args: ['mcp'], trust: true, timeout: 120_000 }
    writeFileSync(settings, JSON.stringify({ ...own, mcpServers: { beckon }, hooks }))
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
