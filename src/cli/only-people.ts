import { readClientFile, stateFolder } from '../platform/config/client-file.ts'
import { type Environment, wholeEnvironment } from '../platform/config/env.ts'
import { Failure } from '../platform/failure.ts'
import { isTerminal } from '../platform/terminal/terminal.ts'

/** Commands that switch off what watches an agent, or let it answer itself (docs/hooks.md). */
const ONLY_PEOPLE: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  setup: (args) => args.includes('--undo') && !args.includes('--dry-run'),
  user: ([way]) => way === 'reset',
  key: ([way]) => way === 'create' || way === 'revoke',
  restore: () => true,
  policy: ([way]) => way === 'apply' || way === 'release',
}

/** Variables that clients give to what their agents run, and that no terminal of a person has. */
const OF_AGENTS = [
  'AI_AGENT',
  'CLAUDECODE',
  'CLAUDE_CODE_SESSION_ID',
  'CODEX_SANDBOX',
  'CODEX_THREAD_ID',
  'COPILOT_CLI',
  'CURSOR_AGENT',
  'GEMINI_CLI',
  'GEMINI_SESSION_ID',
  'OPENCODE',
  'QWEN_CODE',
]

const TELL_MS = 3_000

/**
 * Throws if only a person may run this command and an agent does: its variables are around it, or
 * no terminal is while a scope holds on this machine. The person is told. Without a scope a command
 * without a terminal is that of a script of the person.
 */
export async function refuseForAgents(name: string, args: readonly string[]): Promise<void> {
  if (!Object.hasOwn(ONLY_PEOPLE, name) || !ONLY_PEOPLE[name]?.(args)) return
  const env = wholeEnvironment()
  const why = await agentSign(env)
  if (why === undefined) return
  const command = `beckon ${[name, ...args.filter((arg) => /^(--undo|[a-z]+)$/.test(arg))].slice(0, 2).join(' ')}`
  await tell(command, why, env)
  throw new Failure(
    'forbidden',
    `Only a person may run ${command}, and ${why}. It did not run. Run it in a terminal of your own.`,
  )
}

async function agentSign(env: Environment): Promise<string | undefined> {
  const variable = OF_AGENTS.find((one) => env[one])
  if (variable !== undefined) return `an agent seems to run it: ${variable} is set`
  if (isTerminal(0)) return undefined
  const { anyScope } = await import('../agent/session/kept-scope.ts')
  const holds = anyScope(stateFolder(env), undefined, Date.now())
  return holds ? 'there is no terminal while the scope of an agent holds here' : undefined
}

/** By the settings of this machine, because an agent chooses the variables. */
async function tell(command: string, why: string, env: Environment): Promise<void> {
  const service = readClientFile(env)
  if (!service) return
  const { sendNote } = await import('../agent/session/server.ts')
  const title = `An agent was stopped: ${command}`
  const body = `It could switch off what watches it, or answer itself: ${why}.`
  await sendNote(service, { title, body, machineId: service.machineId }, { ms: TELL_MS })
}
