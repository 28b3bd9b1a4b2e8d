import type { ToolEntry } from '../tools/tool-entry.ts'

export const askUser = {
  name: 'ask_user',
  alias: 'ask_human',
  waits: true,
  repeatable: true,
  fills: ['agentName', 'machineId', 'repoKey', 'requestId', 'sessionId'],
  key: 'requestId',
  load: async () => (await import('./mcp.ts')).askUserTool,
} satisfies ToolEntry

export const waitForAnswer = {
  name: 'wait_for_answer',
  waits: true,
  repeatable: true,
  fills: [],
  changesScope: true,
  load: async () => (await import('./mcp.ts')).waitForAnswerTool,
} satisfies ToolEntry

export const cancelQuestion = {
  name: 'cancel_question',
  waits: false,
  repeatable: true,
  fills: [],
  load: async () => (await import('./mcp.ts')).cancelQuestionTool,
} satisfies ToolEntry
