import { CLIENT_TITLES } from '../../../ask/wire/client-titles.ts'
import type { AgentClient } from '../client.ts'

export const claude: AgentClient = {
  name: 'claude',
  title: CLIENT_TITLES.claude,
  mcpName: 'claude-code',
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  shellCall: async () => (await import('./shell-call.json')).default,
  docs: {
    page: 'claude-code',
    evidence: 'run',
    commands: {
      startedBy: 'its `CLAUDE_CODE_SHELL_PREFIX`',
      unless: 'that is set to something else',
      visible: 'nowhere',
    },
    hook: { asksAtTerminal: 'yes, not with `-p`', paths: 'all', promptsOnPhone: 'yes' },
  },
}
