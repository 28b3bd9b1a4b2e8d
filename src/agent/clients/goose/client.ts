import { CLIENT_TITLES } from '../../../ask/wire/client-titles.ts'
import type { AgentClient } from '../client.ts'

export const goose: AgentClient = {
  name: 'goose',
  title: CLIENT_TITLES.goose,
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  shellCall: async () => (await import('./shell-call.json')).default,
  docs: {
    page: 'goose',
    evidence: 'documents',
    commands: { startedBy: 'the client' },
    hook: { asksAtTerminal: 'no: blocks', paths: 'all', promptsOnPhone: 'no' },
  },
}
