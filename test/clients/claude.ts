import type { Driver } from './driver.ts'
import { anthropic } from './models/anthropic.ts'
import { type Model, startModel } from './models/model.ts'
import type { ClientWorld } from './world.ts'

export const claudeEnv = (model: Model) => ({
  ANTHROPIC_BASE_URL: model.url,
  ANTHROPIC_API_KEY: 'KEY',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
})

const print = (world: ClientWorld, model: Model, binary: string, more: string[]) =>
  world.run([binary, '-p', 'go', '--output-format', 'stream-json', '--verbose', ...more], {
    env: claudeEnv(model),
  })

export const claude: Driver = {
  name: 'claude',
  package: '@anthropic-ai/claude-code',
  startModel: () => startModel(anthropic),
  connect: (world) => world.setUp('claude'),
  run: (world, model, binary) =>
    print(world, model, binary, ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash']),
  runAsking: (world, model, binary) =>
    print(world, model, binary, ['--permission-mode', 'default']),
  ours: (tool, input) => ({ tool: `mcp__beckon__${tool}`, input }),
  write: (path, content) => ({ tool: 'Write', input: { file_path: path, content } }),
  shell: (command) => ({ tool: 'Bash', input: { command, description: 'a command' } }),
}
