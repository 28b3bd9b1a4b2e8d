import type { Driver } from './driver.ts'
import { chat } from './models/chat.ts'
import { type Model, startModel } from './models/model.ts'
import { openTerminal, type Terminal } from './terminal.ts'
import { needsNoApproval, waitsThere } from './waits-there.ts'
import type { ClientWorld } from './world.ts'

export const copilotEnv = (model: Model) => ({
  COPILOT_OFFLINE: 'true',
  COPILOT_AUTO_UPDATE: 'false',
  COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
  COPILOT_MODEL: 'stand-in',
})

const start = (world: ClientWorld, model: Model, binary: string, more: string[]) =>
  world.run([binary, '-p', 'go', ...more], { env: copilotEnv(model) })

async function open(world: ClientWorld, model: Model, binary: string): Promise<Terminal> {
  const terminal = await openTerminal(world, [binary], copilotEnv(model))
  await terminal.shows(/Do you trust the files/)
  await terminal.press('Enter')
  await terminal.shows(/server connected/)
  return terminal
}

export const copilot: Driver = {
  name: 'copilot',
  package: '@github/copilot',
  startModel: () => startModel(chat),
  connect: (world) => world.setUp('copilot'),
  run: (world, model, binary) => start(world, model, binary, ['--yolo']),
  openPrompt: open,
  ours: (tool, input) => ({ tool: `beckon-${tool}`, input }),
  write: (path, content) => ({ tool: 'create', input: { path, file_text: content } }),
  shell: (command) => ({ tool: 'bash', input: { command, description: 'a command' } }),
  more: [
    needsNoApproval((world, model, binary) => start(world, model, binary, [])),
    waitsThere(open),
  ],
}
