import { resolve } from 'node:path'
import { EXIT } from '../../platform/command.ts'
import {
  type ClientFile,
  readClientFile,
  writeClientFile,
} from '../../platform/config/client-file.ts'
import type { ConfigReader } from '../../platform/config/config-reader.ts'
import { wholeEnvironment } from '../../platform/config/env.ts'
import { suggest } from '../../platform/did-you-mean.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { readOpenArguments } from '../../platform/terminal/arguments.ts'
import { EndsWith } from '../../platform/terminal/ends-with.ts'
import { note, say, sayDrawn, showsColours } from '../../platform/terminal/terminal.ts'
import { NoService } from '../api-client.ts'
import { BrokenFile } from '../client-files/broken-file.ts'
import { type InstallRequest, type Place, setupPlace } from '../client-files/client-setup.ts'
import {
  lastingProgram,
  missingSharedProgram,
  ownProgram,
  type Program,
  SHARED_PROGRAM,
} from '../client-files/program.ts'
import { pluginHooks, pluginPaths, writePlugin } from '../clients/claude/plugin.ts'
import { loadSetupClients, type SetupClient } from '../clients/clients.ts'
import { askAgreement, showPlan } from '../setup/agree.ts'
import { isWhole, orNothing, undoAll, writeAll } from '../setup/carry-all.ts'
import { checkClients } from '../setup/check.ts'
import { forgetServer, isAnyLeft } from '../setup/forget-server.ts'
import { notePlugin, readLedger } from '../setup/ledger.ts'
import { type ClientPlan, planClient } from '../setup/plan.ts'
import * as report from '../setup/report.ts'
import {
  EXAMPLE_SERVER,
  findAddress,
  findServer,
  likelyServer,
  type Pair,
  pairPhone,
  type ReadingPlace,
  type Server,
  takenServer,
} from '../setup/server.ts'
import { noteGates } from '../setup/server-gates.ts'
import { mustHaveServers } from '../setup/server-names.ts'
import { filesOf, mustLetSignIn, onlyWithSignIn, withoutToken } from '../setup/sign-in.ts'
import { withStrictness } from '../setup/strictness.ts'
import { askWaitNext, forgetWaitNext, waitNextOf } from '../setup/wait-next.ts'

const OPTIONS = {
  url: { type: 'string' },
  'token-stdin': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  undo: { type: 'boolean' },
  yes: { type: 'boolean' },
  http: { type: 'boolean' },
  'sign-in': { type: 'boolean' },
  strict: { type: 'boolean' },
  'no-strict': { type: 'boolean' },
  'wait-next': { type: 'boolean' },
  'no-wait-next': { type: 'boolean' },
  'native-deny': { type: 'boolean' },
  'jail-server': { type: 'string', multiple: true },
  'no-jail-server': { type: 'string', multiple: true },
  project: { type: 'boolean' },
  plugin: { type: 'string' },
  check: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

type SetupFlags = ReturnType<typeof readOpenArguments<typeof OPTIONS>>

/** The clients that setup knows, and those that were named. */
type Clients = { all: readonly SetupClient[]; byName: readonly SetupClient[] }

/** `beckon setup`: connects the clients of this machine, or undoes that. */
export async function setup(args: string[], config: ConfigReader, pair: Pair): Promise<number> {
  const flags = readOpenArguments(args, OPTIONS)
  const project = flags.project ? resolve('.') : undefined
  const place = { ...setupPlace(wholeEnvironment(), project), config }
  const all = await loadSetupClients()
  const clientsByName = namedClients(all, flags.operands)
  if (flags.check && flags.undo) {
    throw new WrongUsage('--check and --undo cannot be given together.')
  }
  try {
    if (flags['sign-in']) return await signIn(flags, place, { all, byName: clientsByName })
    if (flags.plugin !== undefined) return await plugin(flags, flags.plugin, place, clientsByName)
    if (flags.check) return await checkClients(place, clientsByName, flags.json ?? false)
    return flags.undo
      ? await undo(flags, place, { all, byName: clientsByName })
      : await write(flags, place, { all, byName: clientsByName }, pair)
  } catch (error) {
    if (!(error instanceof NoService)) throw error
    throw new EndsWith(EXIT.unreachable, error)
  }
}

async function write(
  flags: SetupFlags,
  place: ReadingPlace,
  { all, byName: chosen }: Clients,
  pair: Pair,
) {
  const here = all.filter((client) => client.detect(place))
  const clients = chosen.length > 0 ? chosen : here
  if (!flags.json && chosen.length === 0) note(report.clientsText(here, all))
  if (clients.length === 0) {
    return noClient('To set up a client anyway, name it: beckon setup claude', flags)
  }
  const program = place.project ? SHARED_PROGRAM : lastingProgram(place.env)
  const server = flags['dry-run']
    ? await likelyServer(serverFlags(flags), place)
    : await theServer(flags, place)
  const install = installRequestOf(flags, place, program, server)
  const format = { place, colours: showsColours(1), secrets: [server.token] }
  const ledger = readLedger(place.env)
  const planned = clients.map((client) =>
    planClient(client, withStrictness(client.files(install), install, flags), 'write', ledger),
  )
  mustHaveServers(planned, place)
  const waits = await waitNextOf(readClientFile(place.env), clients, flags)
  const stay = flags.strict ? [] : planned.filter((plan) => plan.request.strict)
  if (!flags.json && stay.length > 0) note(report.strictText(stay))
  const waiting = clients.filter(({ name }) => waits.waitNext?.includes(name))
  if (!flags.json && waiting.length > 0) note(report.waitNextText(waiting))
  if (flags['dry-run']) return showPlan(planned, 'write', format, flags)
  const plans = await askAgreement(planned, 'write', format, flags)
  if (!plans) return EXIT.failed

  const { waitNext: _, ...file } = clientFileOf(server as Server, place)
  const next = await askWaitNext(waits, changed(plans), flags)
  const done = writeAll(plans, place, ledger, { ...file, ...next })
  if (flags.json)
    sayJson({
      ok: done.every(isWhole),
      server: serverLine(server as Server),
      clients: report.asData(done, 'write', format),
    })
  else {
    if (done.some(isWhole))
      say(
        `${report.clientFileText(format)} holds the address and the token, readable by you alone.`,
      )
    for (const plan of done) sayDrawn(report.resultText(plan, 'write', format))
    if (place.project) noteMissing(place)
    if (done.some(isWhole)) {
      await pairPhone(server as Server, place.config, pair)
      say(report.tryText(done, place))
    }
  }
  return done.every(isWhole) ? EXIT.done : EXIT.failed
}

/**
 * `--sign-in`: writes only the address, and each client signs in by itself. The address and token
 * stored on this machine stay, because hooks and the bridge still use them.
 */
async function signIn(flags: SetupFlags, place: ReadingPlace, { all, byName: chosen }: Clients) {
  const other = NOT_WITH_SIGN_IN.find((name) => flags[name])
  if (other) throw new WrongUsage(`--sign-in and --${other} cannot be given together.`)
  const here = chosen.length > 0 ? chosen : all.filter((client) => client.detect(place))
  const clients = onlyWithSignIn(here, chosen)
  if (clients.length === 0) {
    const sentence =
      'No client that signs in was found here. To set one up anyway, name it: beckon setup codex --sign-in'
    return noClient(sentence, flags)
  }
  const url = await findAddress({ url: flags.url }, place)
  if (!flags['dry-run']) await mustLetSignIn(url)
  const install = withoutToken(
    installRequestOf(flags, place, ownProgram(), { url, token: '' }),
    url,
  )
  const format = { place, colours: showsColours(1), secrets: [] }
  const ledger = readLedger(place.env)
  const planned = clients.map((client) => planClient(client, install, 'write', ledger))
  if (flags['dry-run']) return showPlan(planned, 'write', format, flags)
  const plans = await askAgreement(planned, 'write', format, flags)
  if (!plans) return EXIT.failed
  const done = writeAll(plans, place, ledger)
  if (flags.json) {
    const clients = report.asData(done, 'write', format)
    sayJson({ ok: done.every(isWhole), server: { url }, clients })
  } else {
    for (const plan of done) sayDrawn(report.resultText(plan, 'write', format))
    if (done.some(isWhole)) say(report.tryText(done, place))
  }
  return done.every(isWhole) ? EXIT.done : EXIT.failed
}

function changed(plans: readonly ClientPlan[]): SetupClient[] {
  const isNew = ({ outcomes }: ClientPlan) => outcomes.some(({ is }) => is === 'to_do')
  return plans.filter(isNew).map(({ client }) => client)
}

function sayJson(result: object): void {
  say(JSON.stringify(result, null, 2))
}

function noClient(sentence: string, { json }: SetupFlags): number {
  if (json) sayJson({ ok: false, clients: [] })
  note(sentence)
  return EXIT.failed
}

const NOT_WITH_SIGN_IN = [
  'undo',
  'check',
  'plugin',
  'token-stdin',
  'strict',
  'no-strict',
  'wait-next',
  'no-wait-next',
  'native-deny',
  'jail-server',
  'no-jail-server',
] as const satisfies readonly (keyof typeof OPTIONS)[]

/** The clients of these names. Throws `WrongUsage` for a name that no client has. */
function namedClients(all: readonly SetupClient[], names: readonly string[]): SetupClient[] {
  return [...new Set(names)].map((name) => {
    const client = all.find((one) => one.name === name.toLowerCase())
    if (client) return client
    const names = all.map((one) => one.name)
    const suggestion = suggest(name, names)
    const hint = `${suggestion ? `${suggestion} These are` : '; these are'}: ${names.join(', ')}.`
    throw new WrongUsage(`"${name}" is not a client that beckon sets up${hint}`)
  })
}

/** `--plugin DIR`: the same for Claude Code as a folder that it loads. */
async function plugin(
  flags: SetupFlags,
  folder: string,
  place: ReadingPlace,
  chosen: readonly SetupClient[],
) {
  if (chosen.length !== 1 || chosen[0]?.name !== 'claude') {
    throw new WrongUsage(
      '--plugin makes a plugin for Claude Code: beckon setup claude --plugin DIR',
    )
  }
  const server = await theServer(flags, place)
  try {
    const install = withStrictness(
      pluginHooks(folder),
      installRequestOf(flags, place, SHARED_PROGRAM, server),
      flags,
    )
    const paths = orNothing(place, pluginPaths(folder), () => {
      writeClientFile(clientFileOf(server, place), place.env)
      const paths = writePlugin(folder, install)
      notePlugin(paths, place.env)
      return paths
    })
    if (flags.json) sayJson({ ok: true, files: paths })
    else for (const path of paths) say(path)
    if (install.strict && !flags.strict) note('Strict as before, until --no-strict.')
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
    throw new Failure('conflict', `No plugin was written: ${error.message}.`)
  }
  noteMissing(place)
  note(`Try it with: claude --plugin-dir ${folder}`)
  note(
    'Use the plugin or the settings of Claude Code, not both: otherwise every question comes twice.',
  )
  return EXIT.done
}

/** The file of this machine with this server, and with what else a person has set in it. */
function clientFileOf({ url, token, machineId }: Server, { env }: Place): ClientFile {
  return { ...readClientFile(env), url, token, machineId }
}

function noteMissing(place: Place): void {
  const missing = missingSharedProgram(place)
  if (missing) note(missing)
}

async function undo(flags: SetupFlags, place: Place, { all, byName: chosen }: Clients) {
  const clients = chosen.length > 0 ? chosen : all
  // Undo only looks for our entries, whatever they contain.
  const install = {
    ...installRequestOf(flags, place, ownProgram(), EXAMPLE_SERVER),
    nativeDeny: true,
  }
  const clientFile = readClientFile(place.env)
  const format = {
    place,
    colours: showsColours(1),
    secrets: clientFile ? [clientFile.token] : [],
  }
  const ledger = readLedger(place.env)
  const isReported = ({ outcomes }: ClientPlan) =>
    chosen.length > 0 || outcomes.some(({ is }) => is !== 'as_wanted')
  const planned = clients
    .map((client) => planClient(client, install, 'undo', ledger))
    .filter(isReported)
  if (flags['dry-run']) return showPlan(planned, 'undo', format, flags)
  const plans = planned.length > 0 ? await askAgreement(planned, 'undo', format, flags) : planned
  if (!plans) return EXIT.failed
  const done = undoAll(plans, place, ledger).filter(isReported)
  noteGates(
    plans.flatMap(({ client, request }) => filesOf(client, request)),
    place,
  )
  // After undoing everything, or the last client, the token here is no longer needed.
  const undid = done.some(({ outcomes }) => outcomes.some(({ is }) => is === 'done'))
  const isAll =
    (chosen.length === 0 && plans.length === planned.length) ||
    (undid && !isAnyLeft(all, install, ledger))
  const last = isAll && !flags.project && done.every(isWhole)
  if (last) forgetServer(install)
  else if (!flags.project) forgetWaitNext(place.env, clients)
  if (flags.json) sayJson({ ok: done.every(isWhole), clients: report.asData(done, 'undo', format) })
  else {
    for (const plan of done) sayDrawn(report.resultText(plan, 'undo', format))
    if (done.length === 0) say('Nothing of beckon is left in the files of any client.')
    if (last && clientFile) {
      say(`${report.clientFileText(format)} is removed.`)
      say('The token is still valid; "beckon key revoke" ends it.')
    }
  }
  return done.every(isWhole) ? EXIT.done : EXIT.failed
}

function installRequestOf(
  flags: SetupFlags,
  place: Place,
  program: Program,
  { url, token }: { url: string; token: string },
): InstallRequest {
  return {
    place,
    program,
    url: `${url}/api/mcp/mcp`,
    token,
    http: flags.http ?? false,
    strict: flags.strict ?? false,
    nativeDeny: flags['native-deny'] ?? false,
    jailServers: { add: flags['jail-server'] ?? [], drop: flags['no-jail-server'] ?? [] },
  }
}

function serverFlags({ url, 'token-stdin': tokenStdin = false }: SetupFlags) {
  return { url, tokenStdin }
}

async function theServer(options: SetupFlags, place: ReadingPlace): Promise<Server> {
  const mayAsk = !options.yes && !options.json
  const server = await takenServer(await findServer(serverFlags(options), place), place.env, mayAsk)
  const devices = server.devices === 1 ? '1 device' : `${server.devices} devices`
  if (!options.json) {
    note(`The server at ${server.url} takes the token "${server.name}" and can reach ${devices}.`)
    if (server.test) note('It is a test token: everything is recorded and nothing is delivered.')
  }
  return server
}

function serverLine({ url, name, test, devices }: Server) {
  return { url, token: name, test, devices }
}
