import { CLIENT_TITLES } from '../../../ask/wire/client-titles.ts'
import type { AgentClient } from '../client.ts'

export const qwen: AgentClient = {
  name: 'qwen',
  title: CLIENT_TITLES.qwen,
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  shellCall: async () => (await import('./shell-call.json')).default,
  docs: {
    page: 'qwen-code',
    evidence: 'run',
    commands: { startedBy: 'the client' },
    hook: { asksAtTerminal: 'yes; with `--prompt` it blocks', paths: 'all', promptsOnPhone: 'yes' },
  },
}
