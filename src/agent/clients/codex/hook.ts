import type { ToolTable } from '../../hook/read-tool.ts'
import { type HookCall, NOTHING, type Rendered, type Verdict } from '../../hook/tool-call.ts'
import { deniedTool, onPermission, readClaudeShape, renderIn } from '../claude-shape.ts'
import type { HookClient } from '../client.ts'
import { isAttended } from './attended.ts'

const TOOLS: ToolTable = {
  Bash: { shell: 'command' },
  apply_patch: { patch: 'command' },
  update_plan: 'no_paths',
  view_image: { touch: 'read', keys: ['path'] },
  web_search: 'no_paths',
}

/**
 * Codex lets a tool run when the hook says anything that it does not know: a key more, `ask`, an
 * `allow` that stands alone. So this says nothing but what its schema has.
 */
export const codexHook: HookClient = {
  name: 'codex',
  title: 'Codex',
  hostTimeoutMs: 600_000,
  relays: true,
  canAsk: () => false,
  parse: (input, _env, event) =>
    proven(
      readClaudeShape(input, { client: 'codex', tools: TOOLS, headless: false, event }),
      input,
    ),
  render: renderIn({ deny: denied, ask: denied, permission: ofPermission }),
}

/** Only a prompt says that somebody is there, and only then is it looked for. */
function proven(call: HookCall, input: unknown): HookCall {
  return call.event === 'prompt' && isAttended(input) ? { ...call, attended: true } : call
}

/** Without a reason, or with exit code 2 and nothing on standard error, the tool would run. */
function denied(reason: string): Rendered {
  return deniedTool(said(reason))
}

function ofPermission(verdict: Verdict): Rendered {
  if (verdict.is === 'allow') return onPermission({ behavior: 'allow' })
  if (verdict.is === 'deny')
    return onPermission({ behavior: 'deny', message: said(verdict.reason) })
  return NOTHING
}

function said(reason: string): string {
  return reason.trim() || 'Blocked.'
}
