import { sendNotificationTool } from '../notifications/mcp.ts'
import { askUserTool, cancelQuestionTool, waitForAnswerTool } from '../questions/mcp.ts'
import { proposeScopeTool } from '../scopes/mcp.ts'
import type { McpFlows } from '../wire/flows.ts'
import type { Tool } from './tool.ts'

/** The tools in the order of `tools/list`. */
export function agentTools(flows: McpFlows): Tool[] {
  return [
    askUserTool(flows),
    waitForAnswerTool(flows),
    cancelQuestionTool(flows),
    sendNotificationTool(flows),
    proposeScopeTool(flows),
  ]
}
