import { stateFolder } from '../../platform/config/client-file.ts'
import { type Environment, wholeEnvironment } from '../../platform/config/env.ts'
import { WrongUsage } from '../../platform/failure.ts'
import { type OptionValues, readPlainOptions } from '../../platform/terminal/plain-options.ts'
import type { Weaker } from '../hook/containment.ts'
import { NotStarted, type RequestedScope } from '../jail/jail.ts'
import { startContained } from '../jail/start.ts'
import { fromFolder } from '../paths/path-text.ts'

/** `beckon jail`: this process becomes the command. Resolves only if that failed. */
export async function jail(args: string[]): Promise<number> {
  const { given: flags, words } = split(args)
  if (words.length === 0) throw new WrongUsage('The command is missing: put it after "--".')
  return become(await readJailOptions(flags), words)
}

/** As `jail`; undefined if nothing was done, because the options are not in the plain form. */
export async function jailPlainly(args: string[]): Promise<number | undefined> {
  const { given: flags, words } = split(args)
  const options = readPlainly(flags)
  return options && words.length > 0 ? become(options, words) : undefined
}

function split(args: string[]): { given: string[]; words: string[] } {
  const dashes = args.indexOf('--')
  return dashes < 0
    ? { given: args, words: [] }
    : { given: args.slice(0, dashes), words: args.slice(dashes + 1) }
}

async function become(options: JailOptions, words: readonly string[]): Promise<number> {
  const cwd = process.cwd()
  const env = wholeEnvironment()
  const variables = parseAssignments(options.env)
  // The fallback starts this program again with the option, whatever the others are.
  const withoutNamespaces = options['no-namespaces'] === true
  try {
    const { session } = options
    if (options.server) return await runServer(options, words, env)
    if (session === undefined) {
      const request = { ...requestOf(options, cwd), withoutNamespaces }
      return await startContained(request, { words, cwd, env, variables }, say)
    }
    const {
      JAILED_CLIENTS,
      sessionIn,
      sessionScope: sessionRequest,
    } = await import('../jail/session-scope.ts')
    const sessionIds = options['session-id']
    if (sessionIds === undefined && !JAILED_CLIENTS.includes(session))
      throw new WrongUsage(`--session is one of ${JAILED_CLIENTS.join(', ')}.`)
    const ids = sessionIds ?? [sessionIn(session, env) ?? '']
    const sessions = ids.flatMap((sessionId) => (sessionId ? [{ client: session, sessionId }] : []))
    const request = sessionRequest(sessions, { words, cwd, env, withoutNamespaces })
    const note = async (how: Weaker) => {
      const { noteWeaker } = await import('../hook/containment.ts')
      for (const one of sessions) noteWeaker({ state: stateFolder(env), ...one }, how)
    }
    if (request && (withoutNamespaces || !request.isWhole))
      await note(request.isWhole ? 'landlock' : 'none')
    // The command prints nothing of this: the hook reports it to the person.
    return await startContained(request, { words, cwd, env, variables }, () => note('none'))
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error
    const { noteError } = await import('../../platform/terminal/terminal.ts')
    noteError(`beckon jail: ${error.message}`)
    return error.code
  }
}

/** An MCP server of a client: this process stays between the two. */
async function runServer(options: JailOptions, words: readonly string[], env: Environment) {
  const { session: client } = options
  const { HOOK_CLIENTS } = await import('../clients/clients.ts')
  if (client === undefined || !HOOK_CLIENTS.includes(client))
    throw new WrongUsage(`--server needs --session, one of ${HOOK_CLIENTS.join(', ')}.`)
  const { superviseServer } = await import('../server-jail/supervise.ts')
  return await superviseServer({ client, words, given: parseAssignments(options.env), env })
}

async function say(line: string): Promise<void> {
  // It is rarely needed, and every start would wait until it is loaded.
  const { note } = await import('../../platform/terminal/terminal.ts')
  note(line)
}

function requestOf(options: JailOptions, cwd: string): Omit<RequestedScope, 'withoutNamespaces'> {
  const from = (paths: string[] = []) => paths.map((path) => fromFolder(cwd, path))
  return {
    write: from(options.write),
    keep: from(options.keep),
    deny: from(options.deny),
    placeholders: undefined,
    withoutState: options['no-state'] === true,
    bestEffort: options['best-effort'] === true,
  }
}

function parseAssignments(assignments: readonly string[] = []): ReadonlyMap<string, string> {
  const wrong = assignments.find((one) => !/^[^=]+=/.test(one))
  if (wrong !== undefined) throw new WrongUsage(`--env takes NAME=VALUE, not "${wrong}".`)
  return new Map(assignments.map((one) => [one.slice(0, one.indexOf('=')), one]))
}

const paths = { type: 'string', multiple: true } as const

const JAIL_OPTIONS = {
  write: paths,
  keep: paths,
  deny: paths,
  session: { type: 'string' },
  'session-id': paths,
  server: { type: 'boolean' },
  env: paths,
  'no-state': { type: 'boolean' },
  'no-namespaces': { type: 'boolean' },
  'best-effort': { type: 'boolean' },
} as const

type JailOptions = OptionValues<typeof JAIL_OPTIONS>

/**
 * Every command of a session waits for this, so the reader of all option forms is only loaded when
 * it is needed.
 */
export async function readJailOptions(args: string[]): Promise<JailOptions> {
  const plain = readPlainly(args)
  if (plain) return plain
  const { readArguments } = await import('../../platform/terminal/arguments.ts')
  return readArguments(args, JAIL_OPTIONS)
}

/** Undefined for options in any other form, and for wrong ones. */
function readPlainly(args: readonly string[]): JailOptions | undefined {
  const read = readPlainOptions(args, JAIL_OPTIONS)
  return read?.positionals.length === 0 ? read.values : undefined
}
