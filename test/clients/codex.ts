import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver } from './driver.ts'
import { type Model, startModel } from './models/model.ts'
import { responses } from './models/responses.ts'
import type { ClientWorld } from './world.ts'

/** Hooks of a fresh file are skipped without a word until somebody trusts them at a terminal. */
const exec = (world: ClientWorld, binary: string, more: string[]) =>
  world.run([
    ...[binary, 'exec', '--skip-git-repo-check', '--json', '--dangerously-bypass-hook-trust'],
    ...more,
    'go',
  ])

const config = (model: Model) => `model = "stand-in"
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
    writeFileSync(join(world.home, '.codex/config.toml'), config(model))
    await world.setUp('codex')
  },
  run: (world, _model, binary) => exec(world, binary, []),
  runAsking: (world, _model, binary) =>
    exec(world, binary, ['-c', 'approval_policy="on-request"', '-c', 'sandbox_mode="read-only"']),
  ours: (tool, input) => ({ tool, namespace: 'mcp__beckon', input }),
  write: (path, content) => {
    const heredoc = `cat > '${path}' <<'EOF'\n${content}\nEOF`
    return { tool: 'exec_command', input: { cmd: heredoc } }
  },
  shell: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
}
