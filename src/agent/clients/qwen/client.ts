import type { AgentClient } from '../client.ts'

export const qwen: AgentClient = {
  name: 'qwen',
  title: 'Qwen Code',
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  docs: {
    page: 'qwen-code',
    knownFrom: 'documents',
    hook: { asksAtTerminal: 'yes; with `--prompt` it blocks', paths: 'all', promptsOnPhone: 'yes' },
  },
}
