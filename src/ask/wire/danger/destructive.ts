import { cacheRecent } from '../../../platform/once.ts'
import type { GatedCall } from '../gated-call.ts'
import type { ReadingSummary } from '../reading/summary.ts'
import { dangersIn } from './dangers.ts'
import type { Danger } from './pattern.ts'
import { isSecretFile, SECRET_FILE } from './secrets.ts'

const DELETES = 'This tool deletes something.'
const PUBLISHES = 'This tool publishes or deploys something.'
const CHANGES = 'This tool changes running infrastructure.'
const SENDS = 'This tool sends something to others.'
const DESTROYS = 'Its server says that this tool may destroy something.'
const PAYS = 'This tool moves money.'
const HIGH_RISK = 'The agent says that the risk of this is high.'
const UNSHOWN = 'Not all of this call is shown here, and a yes allows all of it.'

/** The effects that the verbs in a tool's name stand for. */
const VERBS: readonly (readonly [verbs: string, why: string])[] = [
  [
    'delete remove destroy drop purge wipe erase truncate uninstall revoke unpublish reset',
    DELETES,
  ],
  ['publish release deploy merge promote', PUBLISHES],
  ['terminate provision reboot restart shutdown rollback scale', CHANGES],
  ['send email mail sms tweet reply forward upload share invite post', SENDS],
  ['pay transfer purchase charge refund buy checkout', PAYS],
]
const WHY = new Map(VERBS.flatMap(([verbs, why]) => verbs.split(' ').map((verb) => [verb, why])))

/** Why a call of this tool needs a second look, by its name: `mcp__github__delete_repo`. */
export function whyTool(name: string): string | undefined {
  const own = name.slice(name.lastIndexOf('__') + 1)
  const words =
    own
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return words.map((word) => WHY.get(word)).find((why) => why !== undefined)
}

/** The fields of a question in which dangers are looked for. */
export type Judged = {
  question: string
  detail: {
    action?: string
    actionBody?: string
    toolName?: string
    toolTarget?: string
    toolPath?: string
    scopePath?: string
    risk?: 'low' | 'medium' | 'high'
    reading?: ReadingSummary
    gate?: Pick<GatedCall, 'cut' | 'hints'>
  }
  choices?: ReadonlyArray<{ label: string }>
}

/**
 * Returns true if a yes needs a second look: what it allows is hard to undo, sends data out,
 * publishes, changes infrastructure, or cannot be seen (docs/security.md). Then it is never one
 * tap, and is asked twice.
 */
export function looksDestructive(question: Judged): boolean {
  return whyDangerous(question) !== undefined
}

/** Why, in a sentence or two for people; undefined if no row of the table matches. */
export function whyDangerous({ question, detail, choices = [] }: Judged): string | undefined {
  const { action, toolTarget, toolName, toolPath, scopePath } = detail
  const path = [toolPath, scopePath].find((one) => one !== undefined && isSecretFile(one))
  return (
    (detail.gate?.cut ? UNSHOWN : undefined) ??
    firstReasons(detail.reading?.dangers ?? []) ??
    whyIn(action) ??
    whyInBody(detail) ??
    whyIn(toolTarget) ??
    sentences(dangersOfSentence(question)) ??
    sentences(choices.flatMap(({ label }) => dangersOfSentence(label))) ??
    (toolName === undefined ? undefined : whyTool(toolName)) ??
    (detail.gate?.hints?.destructive ? DESTROYS : undefined) ??
    (path === undefined ? undefined : SECRET_FILE) ??
    (detail.risk === 'high' ? HIGH_RISK : undefined)
  )
}

/** The dangerous parts of the line that says what a yes does, with their places. */
export function dangersOfAction(action: string): Danger[] {
  return dangersOfCommand(action)
}

/** The dangerous parts of a change that a tool makes to a file: no shell reads it. */
export function dangersOfChange(text: string): Danger[] {
  return dangersOfEdit(text)
}

// A text is checked when it is asked, pushed, answered, and whenever a list shows it, and a hostile
// text takes long to check.
const RECENT_MAX = 200
const dangersOfCommand = cacheRecent(RECENT_MAX, (text) => dangersIn(text))
const dangersOfEdit = cacheRecent(RECENT_MAX, (text) => dangersIn(text, 'change'))
const dangersOfSentence = cacheRecent(RECENT_MAX, (text) => dangersIn(text, 'sentence'))

function whyIn(text: string | undefined): string | undefined {
  return text === undefined ? undefined : sentences(dangersOfAction(text))
}

function whyInBody({ action, actionBody, toolName, toolPath }: Judged['detail']) {
  // The action of a shell is its command.
  const changes = toolName !== undefined && action?.startsWith(`${toolName} `)
  if (!actionBody || !changes || toolPath === undefined) return whyIn(actionBody)
  return sentences(dangersOfChange(actionBody))
}

// A longer text would not be read.
const REASONS_MAX = 2

function sentences(dangers: readonly Danger[]): string | undefined {
  return firstReasons(dangers.map(({ why }) => why))
}

function firstReasons(whys: readonly string[]): string | undefined {
  return whys.length > 0 ? whys.slice(0, REASONS_MAX).join(' ') : undefined
}
