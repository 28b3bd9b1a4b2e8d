import { CLIENT_TITLES } from '../../../ask/wire/client-titles.ts'
import { type AgentClient, isText } from '../client.ts'

export const vsCode: AgentClient = {
  name: 'vscode',
  title: CLIENT_TITLES.vscode,
  alsoRuns: {
    hooksOf: ['claude', 'copilot'],
    wrote: ({ hookEventName, timestamp }) => isText(hookEventName) && timestamp !== undefined,
  },
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  shellCall: async () => (await import('./shell-call.json')).default,
  docs: {
    page: 'vs-code',
    evidence: 'documents',
    commands: { startedBy: 'the client' },
    hook: { asksAtTerminal: 'yes', paths: 'all', promptsOnPhone: 'no' },
  },
}
