import type { Ran } from '../../support/run-command.ts'

type Say = (reason: string) => Ran
type Json = Record<string, unknown>

/** What a client has to be told, to the byte, about a tool that has not run yet. */
export type Golden = { silent: Ran; deny: Say; ask: Say }

const NOTHING: Ran = { code: 0, out: '', err: '' }

/** One JSON object, and nothing else. */
function printed(output: Json): Ran {
  return { ...NOTHING, out: JSON.stringify(output) }
}

/** JSON, the reason on standard error, exit code 2. */
function blocked(output: Json, reason: string): Ran {
  return { code: 2, out: JSON.stringify(output), err: `${reason}\n` }
}

const claudeShape = (permissionDecision: string, permissionDecisionReason: string): Json => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
})
const likeClaude: Golden = {
  silent: NOTHING,
  deny: (reason) => blocked(claudeShape('deny', reason), reason),
  ask: (reason) => printed(claudeShape('ask', reason)),
}

function denyOnly(silent: Ran, deny: Say): Golden {
  return { silent, deny, ask: deny }
}

export const GOLDEN: Record<string, Golden> = {
  copilot: {
    silent: NOTHING,
    deny: (reason) =>
      blocked({ permissionDecision: 'deny', permissionDecisionReason: reason }, reason),
    ask: (reason) => printed({ permissionDecision: 'ask', permissionDecisionReason: reason }),
  },
  vscode: likeClaude,
  qwen: likeClaude,
  droid: likeClaude,
  agy: {
    silent: printed({ decision: 'allow' }),
    deny: (reason) => printed({ decision: 'deny', reason }),
    ask: (reason) => printed({ decision: 'force_ask', reason }),
  },
  gemini: denyOnly(NOTHING, (reason) => blocked({ decision: 'deny', reason }, reason)),
  opencode: denyOnly(NOTHING, (reason) => blocked({ decision: 'deny', reason }, reason)),
  goose: denyOnly(NOTHING, (reason) => blocked({ decision: 'block', reason }, reason)),
  windsurf: denyOnly(NOTHING, (reason) => ({ code: 2, out: '', err: `${reason}\n` })),
  cline: denyOnly(printed({ cancel: false }), (reason) =>
    printed({ cancel: true, errorMessage: reason }),
  ),
  cursor: denyOnly(NOTHING, (reason) =>
    blocked({ permission: 'deny', user_message: reason, agent_message: reason }, reason),
  ),
}
