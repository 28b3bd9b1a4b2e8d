import { CLIENT_TITLES } from '../../../ask/wire/client-titles.ts'
import type { AgentClient } from '../client.ts'

export const agy: AgentClient = {
  name: 'agy',
  title: CLIENT_TITLES.agy,
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  shellCall: async () => (await import('./shell-call.json')).default,
  docs: {
    page: 'antigravity-cli',
    evidence: 'documents',
    commands: { startedBy: 'the client' },
    hook: { asksAtTerminal: 'yes', paths: 'all', promptsOnPhone: 'no' },
  },
}
