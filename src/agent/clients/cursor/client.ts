import { CLIENT_TITLES } from '../../../ask/wire/client-titles.ts'
import type { AgentClient } from '../client.ts'

export const cursor: AgentClient = {
  name: 'cursor',
  title: CLIENT_TITLES.cursor,
  alsoRuns: {
    hooksOf: ['claude'],
    wrote: ({ cursor_version }) => cursor_version !== undefined,
  },
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  shellCall: async () => (await import('./shell-call.json')).default,
  docs: {
    page: 'cursor',
    evidence: 'documents',
    commands: { startedBy: 'the client' },
    hook: {
      asksAtTerminal: 'no: blocks',
      paths: 'all; reads also by `beforeReadFile`',
      promptsOnPhone: 'no',
    },
  },
}
