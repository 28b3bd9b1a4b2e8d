import { CLIENT_TITLES } from '../../../ask/wire/client-titles.ts'
import type { AgentClient } from '../client.ts'

export const gemini: AgentClient = {
  name: 'gemini',
  title: CLIENT_TITLES.gemini,
  mcpName: 'gemini-cli-mcp-client',
  hidesAskUser: true,
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  shellCall: async () => (await import('./shell-call.json')).default,
  docs: {
    page: 'gemini-cli',
    evidence: 'run',
    commands: { startedBy: 'its `tool_input`', visible: 'in its window' },
    hook: { asksAtTerminal: 'no: blocks', paths: 'all', promptsOnPhone: 'you are told' },
  },
}
