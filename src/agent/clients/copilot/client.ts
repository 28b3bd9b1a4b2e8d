import { CLIENT_TITLES } from '../../../ask/wire/client-titles.ts'
import { type AgentClient, isText } from '../client.ts'

export const copilot: AgentClient = {
  name: 'copilot',
  title: CLIENT_TITLES.copilot,
  mcpName: 'copilot-cli',
  alsoRuns: { hooksOf: ['claude', 'vscode'], wrote },
  setup: async () => (await import('./setup.ts')).setup,
  hook: async () => (await import('./hook.ts')).hook,
  shellCall: async () => (await import('./shell-call.json')).default,
  docs: {
    page: 'copilot-cli',
    evidence: 'run',
    commands: {
      startedBy: 'its `modifiedArgs`',
      unless: 'it was started without `--yolo` or `--allow-all`, or with `--deny-…`',
      visible: 'the model reads it as its own call',
    },
    hook: {
      asksAtTerminal: 'yes; with `-p` it blocks',
      paths: 'all',
      promptsOnPhone: 'you are told; answered there only on request',
    },
  },
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT/

function wrote(input: Readonly<Record<string, unknown>>): boolean {
  const { toolName, hookName, sessionId, timestamp, transcript_path } = input
  if (isText(toolName) || isText(hookName)) return true
  if (isText(sessionId) && typeof timestamp === 'number') return true
  return isText(timestamp) && ISO_TIME.test(timestamp) && transcript_path === undefined
}
