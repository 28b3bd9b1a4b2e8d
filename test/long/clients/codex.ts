import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver } from './driver.ts'
import { type Model, startModel } from './models/model.ts'
import { responses } from './models/responses.ts'
import { openTerminal } from './terminal.ts'
import type { ClientWorld } from './world.ts'

// Alone it never asks, whatever it is told.
const ASKING = ['-c', 'approval_policy="on-request"', '-c', 'sandbox_mode="read-only"']

const askingWorlds = new WeakSet<ClientWorld>()

/** Hooks of a fresh file are skipped without a word until somebody trusts them at a terminal. */
const exec = (world: ClientWorld, binary: string) =>
  world.run([
    ...[binary, 'exec', '--skip-git-repo-check', '--json', '--dangerously-bypass-hook-trust'],
    'go',
  ])

/** Its own settings, without our server. */
export const codexConfig = (model: Model) => `model = "stand-in"
model_provider = "local"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.local]
name = "Local"
base_url = "${model.url}/v1"
wire_api = "responses"
`

export const codex: Driver = {
  name: 'codex',
  package: '@openai/codex',
  startModel: () => startModel(responses),
  async connect(world, model) {
    mkdirSync(join(world.home, '.codex'), { recursive: true })
    writeFileSync(join(world.home, '.codex/config.toml'), codexConfig(model))
    await world.setUp('codex')
  },
  run: (world, _model, binary) => exec(world, binary),
  async sitDown(world, _model, binary) {
    const terminal = await openTerminal(world, [binary, ...ASKING])
    // Both are remembered in this home: after them it draws its prompt, and asks nothing more.
    if (!askingWorlds.has(world)) {
      askingWorlds.add(world)
      await terminal.shows(/Trust this folder/)
      await terminal.press('1', 'Enter')
      await terminal.shows(/Hooks need review/)
      await terminal.press('2', 'Enter')
    }
    await terminal.shows(/Ask Codex to do/)
    return terminal
  },
  escalated: (cmd) => ({
    tool: 'exec_command',
    input: { cmd, sandbox_permissions: 'require_escalated', justification: 'May I?' },
  }),
  ours: (tool, input) => ({ tool, namespace: 'mcp__beckon', input }),
  write: (path, content) => {
    const heredoc = `cat > '${path}' <<'EOF'\n${content}\nEOF`
    return { tool: 'exec_command', input: { cmd: heredoc } }
  },
  shell: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
}
