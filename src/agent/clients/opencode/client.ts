import { CLIENT_TITLES } from '../../../ask/wire/client-titles.ts'
import type { AgentClient } from '../client.ts'

export const openCode: AgentClient = {
  name: 'opencode',
  title: CLIENT_TITLES.opencode,
  mcpName: 'opencode',
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  shellCall: async () => (await import('./shell-call.json')).default,
  docs: {
    page: 'opencode',
    evidence: 'run',
    commands: {
      startedBy: 'the plugin, in `output.args`',
      unless: 'its settings have patterns for `bash`, or its plugin is of an earlier setup',
      visible: 'at its prompts, in its window',
    },
    hook: { asksAtTerminal: 'no: blocks', paths: 'all', promptsOnPhone: 'yes, questions too' },
  },
}
