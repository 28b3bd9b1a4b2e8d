import { CLIENT_TITLES } from '../../../ask/wire/client-titles.ts'
import type { AgentClient } from '../client.ts'

export const cline: AgentClient = {
  name: 'cline',
  title: CLIENT_TITLES.cline,
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  shellCall: async () => (await import('./shell-call.json')).default,
  docs: {
    page: 'cline',
    evidence: 'run',
    commands: {
      startedBy: 'its `overrideInput`',
      unless: 'it is older than Cline 3',
      visible: 'in its window; the model reads it in results',
    },
    hook: { asksAtTerminal: 'no: blocks', paths: 'all', promptsOnPhone: 'no' },
  },
}
