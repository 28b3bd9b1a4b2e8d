import { CLIENT_TITLES } from '../../../ask/wire/client-titles.ts'
import type { AgentClient } from '../client.ts'

export const windsurf: AgentClient = {
  name: 'windsurf',
  title: CLIENT_TITLES.windsurf,
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  shellCall: async () => (await import('./shell-call.json')).default,
  docs: {
    page: 'windsurf',
    evidence: 'documents',
    commands: { startedBy: 'the client' },
    hook: {
      asksAtTerminal: 'no: blocks',
      paths: 'reading, writing, MCP tools',
      promptsOnPhone: 'no',
    },
  },
}
