import { askUser, cancelQuestion, waitForAnswer } from './asking/tools.ts'
import { sendNotification } from './notifications/tools.ts'
import { proposeScope } from './proposals/tools.ts'

/** Every MCP tool for agents, in the order of `tools/list`. */
export const AGENT_TOOLS = [askUser, waitForAnswer, cancelQuestion, sendNotification, proposeScope]
