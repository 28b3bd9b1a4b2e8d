import { sendNotification } from '../notifications/tools.ts'
import { askUser, cancelQuestion, waitForAnswer } from '../questions/tools.ts'
import { proposeScope } from '../scopes/tools.ts'

/** Every MCP tool for agents, in the order of `tools/list`. */
export const AGENT_TOOLS = [askUser, waitForAnswer, cancelQuestion, sendNotification, proposeScope]
