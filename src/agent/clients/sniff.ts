import { fieldsOf } from './claude-shape.ts'

const ISO_TIME = /^\d{4}-\d\d-\d\dT/

/**
 * Which client wrote this input, where that shows. Several read the files of another one and run
 * the hooks they find there, so the name on the command line may be of the wrong client. Undefined
 * for what Claude Code writes, and for what nobody is known to write.
 */
export function sniffClient(input: unknown): 'cursor' | 'vscode' | 'copilot' | 'codex' | undefined {
  const fields = fieldsOf(input)
  if (fields.cursor_version !== undefined) return 'cursor'
  if (isText(fields.hookEventName) && fields.timestamp !== undefined) return 'vscode'
  if (isText(fields.toolName) || isText(fields.hookName)) return 'copilot'
  if (isText(fields.sessionId) && typeof fields.timestamp === 'number') return 'copilot'
  const isDated = isText(fields.timestamp) && ISO_TIME.test(fields.timestamp)
  if (isDated && fields.transcript_path === undefined) return 'copilot'
  return isText(fields.turn_id) ? 'codex' : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
