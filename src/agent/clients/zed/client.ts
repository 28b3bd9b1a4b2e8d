import { CLIENT_TITLES } from '../../../ask/wire/client-titles.ts'
import type { AgentClient } from '../client.ts'

export const zed: AgentClient = {
  name: 'zed',
  title: CLIENT_TITLES.zed,
  setup: async () => (await import('./setup.ts')).setup,
  docs: {
    page: 'zed',
    evidence: 'documents',
    commands: { startedBy: 'the client' },
  },
}
