import type { AgentClient } from '../client.ts'

export const zed: AgentClient = {
  name: 'zed',
  title: 'Zed',
  setup: async () => (await import('./setup.ts')).setup,
  docs: {
    page: 'zed',
    knownFrom: 'documents',
  },
}
