import type { ToolEntry } from '../tools/tool-entry.ts'

export const sendNotification = {
  name: 'send_notification',
  waits: false,
  repeatable: false,
  fills: ['agentName', 'machineId', 'sessionId'],
  load: async () => (await import('./mcp.ts')).sendNotificationTool,
} satisfies ToolEntry
