import { BRIDGE_LIMITS } from '../../src/agent/bridge/patience.ts'
import { mcp } from '../../src/agent/commands/mcp.ts'
import { answerWithoutServer } from '../../src/ask/mcp/without-server.ts'
import { configReader } from '../../src/settings.ts'

// `beckon mcp` with other limits, which stand as JSON in its only argument.
const [limits = '{}'] = process.argv.slice(2)
process.exitCode = await mcp([], configReader.readClientConfig, answerWithoutServer, {
  ...BRIDGE_LIMITS,
  ...JSON.parse(limits),
})
