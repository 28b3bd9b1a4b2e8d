import { bodyOf } from '../../ask/wire/action-body.ts'
import { actionLine, COMMAND_QUESTION, redactedLine } from '../../ask/wire/action-line.ts'
import { isOtherShell } from '../../ask/wire/reading/other-shells.ts'
import type { ForShell } from '../../ask/wire/reading/redact.ts'
import {
  SETTING_NAME_MAX,
  SETTING_VALUE_MAX,
  SETTINGS_MAX,
  type ToolSettings,
} from '../../ask/wire/tool-settings.ts'
import { cleanLine, codePoints, cutText } from '../../platform/text.ts'
import type { HookCall } from './tool-call.ts'

const LINE_MAX = 500
const ASKED_MAX = 500
const NAMED_MAX = 200
const TEXT: ForShell = { isShell: false }

/**
 * The part of a call that a person reads before a yes; secrets are redacted before it leaves the
 * machine.
 */
export type CallExcerpt = {
  question: string
  action?: string
  actionBody?: string
  toolSettings?: ToolSettings
}

/** Shows the effect of a call: the command, the change, or the tool's input. Never throws. */
export function showCall(call: HookCall, name: string | undefined): CallExcerpt {
  const { toolName = 'a tool', command, toolInput } = call
  if (command !== undefined) {
    return {
      ...showCommand(command, toolName),
      ...settingsOf(toolInput, (name, value) => isCommand(name, value, command)),
    }
  }
  const change = changeIn(toolName, toolInput)
  const of = cutText(cleanLine(name ?? ''), NAMED_MAX)
  if (change !== undefined) {
    const question = of === '' ? `Let ${toolName} change files?` : `Change ${of}?`
    return {
      question: cutText(cleanLine(question), ASKED_MAX),
      action: line(`${toolName} ${of}`),
      ...bodyOf(change),
      ...settingsOf(toolInput, (name) => OF_CHANGE.has(name)),
    }
  }
  const inputText = textOf(toolInput)
  const action = line(`${toolName} ${inputText}`)
  const body = codePoints(`${toolName} ${inputText}`) > LINE_MAX ? bodyOf(textOf(toolInput, 2)) : {}
  return { question: cutText(cleanLine(`Use ${toolName}?`), ASKED_MAX), action, ...body }
}

/** The whole input of the tool, for the check for dangers. */
export function wholeOf({ command, toolInput }: HookCall): string {
  return command ?? textOf(toolInput)
}

function showCommand(command: string, toolName: string): CallExcerpt {
  const is = forShell(toolName)
  const isShort = !/[\n\r]/.test(command.trim()) && codePoints(command) <= LINE_MAX
  return {
    question: COMMAND_QUESTION,
    action: line(command, is),
    ...(isShort ? {} : bodyOf(command, is)),
  }
}

/** A tool with a command is a shell, whatever its name. */
export function forShell(toolName: string | undefined): ForShell {
  return { isShell: !isOtherShell(toolName) }
}

/** The arguments that hold the command, and what the agent says about it. */
function isCommand(name: string, value: unknown, command: string): boolean {
  return value === command || /^(?:command|cmd|description)$/.test(name)
}

// These fields are part of the change, or name its file.
const OF_CHANGE = new Set([
  'file_path',
  'filePath',
  'path',
  'notebook_path',
  'absolute_path',
  'command',
  'diff',
  'old_string',
  'new_string',
  'new_source',
  'content',
  'edits',
  'description',
])

/**
 * The arguments besides those that are shown as the command or the change. Arguments that do not
 * fit are shown with everything else in the body, which says what is missing.
 */
function settingsOf(
  input: unknown,
  isShown: (name: string, value: unknown) => boolean,
): Pick<CallExcerpt, 'toolSettings' | 'actionBody'> {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return {}
  const others = Object.entries(input).filter(([name, value]) => !isShown(name, value))
  const settings = others.map(([name, value]) => ({
    name: cleanLine(name) || '?',
    value: redactedLine(textOf(value)),
  }))
  const fits = settings.every(
    ({ name, value }) =>
      codePoints(name) <= SETTING_NAME_MAX && codePoints(value) <= SETTING_VALUE_MAX,
  )
  if (settings.length > SETTINGS_MAX || !fits) return bodyOf(textOf(input, 2))
  return settings.length > 0 ? { toolSettings: settings } : {}
}

function line(text: string, is: ForShell = TEXT): string {
  return actionLine(text, is).text || '(nothing that can be shown)'
}

/** The change as a diff, for tools that describe a change. */
function changeIn(toolName: string, input: unknown): string | undefined {
  const fields = input !== null && typeof input === 'object' ? (input as Fields) : {}
  if (typeof input === 'string' && toolName === 'apply_patch') return input
  const { old_string, new_string, content, new_source, edits, command, diff } = fields
  if (toolName === 'apply_patch' && typeof command === 'string') return command
  if (typeof diff === 'string') return diff
  if (Array.isArray(edits)) return edits.map((edit) => changeIn('Edit', edit) ?? '').join('\n')
  if (typeof new_string === 'string') return signed('-', old_string) + signed('+', new_string)
  if (typeof new_source === 'string') return signed('+', new_source)
  return toolName === 'Write' && typeof content === 'string' ? signed('+', content) : undefined
}

type Fields = Record<string, unknown>

function signed(sign: string, text: unknown): string {
  if (typeof text !== 'string' || text === '') return ''
  return text.replace(/\n$/, '').replace(/^/gm, sign).concat('\n')
}

/**
 * Returns true if the tool's input can be shown at all: values that are nested too deeply cannot.
 */
export function isShowable({ toolInput }: Pick<HookCall, 'toolInput'>): boolean {
  try {
    JSON.stringify(toolInput)
    return true
  } catch {
    return false
  }
}

/** As JSON; values that are nested too deeply are replaced by a note. */
function textOf(input: unknown, indent = 0): string {
  if (input === undefined) return ''
  if (typeof input === 'string') return input
  try {
    return JSON.stringify(input, undefined, indent) ?? ''
  } catch {
    return '(nested too deeply to be shown)'
  }
}
