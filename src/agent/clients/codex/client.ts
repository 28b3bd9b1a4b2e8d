import { CLIENT_TITLES } from '../../../ask/wire/client-titles.ts'
import { type AgentClient, isText } from '../client.ts'

export const codex: AgentClient = {
  name: 'codex',
  title: CLIENT_TITLES.codex,
  mcpName: 'codex-mcp-client',
  alsoRuns: {
    hooksOf: ['claude'],
    wrote: ({ turn_id }) => isText(turn_id),
  },
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  shellCall: async () => (await import('./shell-call.json')).default,
  docs: {
    page: 'codex',
    evidence: 'run',
    commands: {
      startedBy: 'its `updatedInput`',
      unless: '`rules/*.rules` of Codex or the project forbid or prompt',
      visible: 'at its prompts',
    },
    hook: { asksAtTerminal: 'no: blocks', paths: 'all', promptsOnPhone: 'yes' },
  },
}
