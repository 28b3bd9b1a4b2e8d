import { CLIENT_TITLES } from '../../../ask/wire/client-titles.ts'
import type { AgentClient } from '../client.ts'

export const droid: AgentClient = {
  name: 'droid',
  title: CLIENT_TITLES.droid,
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  shellCall: async () => (await import('./shell-call.json')).default,
  docs: {
    page: 'factory-droid',
    evidence: 'run',
    commands: {
      startedBy: 'its `updatedInput`',
      unless: 'it asks about commands itself, as in every mode but `--auto high`',
      visible: 'in its window',
    },
    hook: { asksAtTerminal: 'yes', paths: 'all', promptsOnPhone: 'no' },
  },
}
