import type { ToolEntry } from '../tools/tool-entry.ts'

export const proposeScope = {
  name: 'propose_scope',
  waits: true,
  repeatable: true,
  fills: ['agentName', 'machineId', 'sessionId'],
  key: '_meta',
  changesScope: true,
  load: async () => (await import('./mcp.ts')).proposeScopeTool,
} satisfies ToolEntry
