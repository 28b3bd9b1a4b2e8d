import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { omitUndefined } from '../../../platform/json.ts'
import { inputField, type ToolTable } from '../../calls/read-tool.ts'
import { type HookCall, NOTHING, type Rendered, type Verdict } from '../../calls/tool-call.ts'
import type { ClientHook, HookEnvironment } from '../client.ts'
import { fieldsOf } from '../client.ts'
import { block, hookOutput, replaceField } from '../say.ts'
import { type ClientTable, firstText, readByTable } from '../table.ts'
import { OPENCODE_TURNS, readOpenCodeTurn } from './turns.ts'

const TOOLS: ToolTable = {
  write: { touch: 'write', keys: ['filePath'] },
  edit: { touch: 'write', keys: ['filePath'] },
  multiedit: { touch: 'write', keys: ['filePath'] },
  apply_patch: { patch: 'patchText' },
  patch: { patch: 'patchText' },
  read: { touch: 'read', keys: ['filePath'] },
  list: { touch: 'read', keys: ['path'] },
  glob: { touch: 'read', keys: ['path'] },
  grep: { touch: 'read', keys: ['path'] },
  lsp: { touch: 'read', keys: ['filePath'] },
  bash: { shell: 'command', in: 'workdir' },
  question: 'no_paths',
  skill: 'no_paths',
  task: 'no_paths',
  todoread: 'no_paths',
  todowrite: 'no_paths',
  webfetch: 'no_paths',
  websearch: 'no_paths',
}

const OPENCODE: ClientTable = {
  client: 'opencode',
  events: {
    'session.created': 'session_start',
    'tool.execute.before': 'before_tool',
    'tool.execute.after': 'after_tool',
    'permission.asked': 'permission',
    'question.asked': 'permission',
    'session.idle': 'stop',
    'session.error': 'stop',
    'session.status': 'notification',
    'session.deleted': 'session_end',
  },
  // What the shim wraps: a hook's `{input, output}` or an event's `properties`, and the folders.
  keys: {
    event: ['event', 'type'],
    session: ['input.sessionID', 'properties.sessionID', 'properties.info.id'],
    cwd: ['cwd'],
    roots: ['roots'],
    tool: ['input.tool', 'properties.permission'],
    input: ['output.args', 'input.args', 'properties.metadata'],
    callId: ['input.callID', 'properties.tool.callID'],
  },
  tools: TOOLS,
}

/** OpenCode, through the plugin that `beckon setup` writes (`shim.ts`). */
export const hook: ClientHook = {
  hostTimeoutMs: 600_000,
  relays: true,
  canAsk: () => false,
  parse: read,
  hasRules: ({ roots }, env) =>
    [join(env.XDG_CONFIG_HOME || join(env.HOME ?? '', '.config'), 'opencode'), ...roots].some(
      (folder) => ['opencode.json', 'opencode.jsonc'].some((name) => rules(join(folder, name))),
    ),
  withCommands: (call, replace) =>
    call.takesInput ? replaceField(call, 'command', replace) : undefined,
  turns: OPENCODE_TURNS,
  render,
}

function read(input: unknown, env: HookEnvironment, event?: string): HookCall {
  const fields = fieldsOf(input)
  const rawEvent = firstText(fields, OPENCODE.keys.event) ?? event
  if (rawEvent !== 'question.asked') return readTool(fields, env, rawEvent)
  const questions = questionsOf(inputField(fields, 'properties.questions'))
  const overrides = { rawEvent, toolName: 'question', toolInput: { questions }, questions }
  return readByTable(OPENCODE, input, env, overrides)
}

// With patterns for commands; a plain word is the same for every command.
const RULES = /"bash"\s*:\s*\{/

function rules(path: string): boolean {
  try {
    return RULES.test(readFileSync(path, 'utf8'))
  } catch {
    return false
  }
}

function readTool(
  fields: Record<string, unknown>,
  env: HookEnvironment,
  rawEvent: string | undefined,
): HookCall {
  const call = readByTable(OPENCODE, fields, env, { rawEvent })
  const output = firstText(fields, ['output.output'])
  return {
    ...call,
    ...(fields.takesInput === true ? { takesInput: true } : {}),
    ...(call.event === 'after_tool' && output ? { output } : {}),
    ...omitUndefined({ turn: readOpenCodeTurn(fields) }),
  }
}

/** The names that Claude Code has for the same: `multiSelect` for `multiple`. */
function questionsOf(questions: unknown): unknown[] {
  if (!Array.isArray(questions)) return []
  return questions.map((question) => {
    const { multiple, ...rest } = fieldsOf(question)
    return { ...rest, multiSelect: multiple === true }
  })
}

function render(verdict: Verdict, call: HookCall): Rendered {
  if (verdict.is === 'go_on') return hookOutput({ prompt: verdict.text })
  if (call.rawEvent === 'question.asked') return onQuestion(verdict, call)
  if (call.event === 'permission') return onPermission(verdict)
  if (call.event === 'before_tool' && (verdict.is === 'deny' || verdict.is === 'ask')) {
    return block(verdict.reason, (reason) => ({ decision: 'deny', reason }))
  }
  if (verdict.is === 'replace') return hookOutput({ args: verdict.input })
  const hasPlace = call.event === 'after_tool' && verdict.is === 'context'
  return hasPlace ? hookOutput({ context: verdict.text }) : NOTHING
}

function onPermission(verdict: Verdict): Rendered {
  if (verdict.is === 'allow') return hookOutput({ decision: 'allow' })
  return verdict.is === 'deny' ? hookOutput({ decision: 'deny', reason: verdict.reason }) : NOTHING
}

/** Answers in the order of the questions, each a list of labels; silent unless all are answered. */
function onQuestion(verdict: Verdict, call: HookCall): Rendered {
  if (verdict.is === 'deny') return hookOutput({ decision: 'deny', reason: verdict.reason })
  if (verdict.is !== 'allow') return NOTHING
  const answersByText = fieldsOf(fieldsOf(verdict.updatedInput).answers)
  const questions = Array.isArray(call.questions) ? call.questions.map(fieldsOf) : []
  const answers = questions.map((question) => {
    const text = firstText(question, ['question']) ?? ''
    return labelsOf(question, answersByText[text])
  })
  if (answers.length === 0 || answers.some((labels) => labels.length === 0)) return NOTHING
  return hookOutput({ decision: 'allow', answers })
}

/** Several labels come as one text with commas between them, and may have commas themselves. */
function labelsOf(question: Record<string, unknown>, answer: unknown): string[] {
  if (Array.isArray(answer)) return answer.filter((label) => typeof label === 'string')
  if (typeof answer !== 'string' || answer === '') return []
  const options = Array.isArray(question.options) ? question.options.map(fieldsOf) : []
  const labels = options.map(({ label }) => label).filter((label) => typeof label === 'string')
  if (question.multiSelect !== true || labels.includes(answer)) return [answer]
  const chosen: string[] = []
  let rest = answer
  while (rest !== '') {
    const fitting = labels.filter((label) => rest === label || rest.startsWith(`${label}, `))
    const label = fitting.sort((one, other) => other.length - one.length)[0]
    if (label === undefined) return [answer]
    chosen.push(label)
    rest = rest.slice(label.length).replace(/^, /, '')
  }
  return chosen
}
