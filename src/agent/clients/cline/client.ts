import type { AgentClient } from '../client.ts'

export const cline: AgentClient = {
  name: 'cline',
  title: 'Cline',
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  docs: {
    page: 'cline',
    knownFrom: 'documents',
    hook: { asksAtTerminal: 'no: blocks', paths: 'all', promptsOnPhone: 'no' },
  },
}
