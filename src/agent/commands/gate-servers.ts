import { resolve } from 'node:path'
import { EXIT } from '../../platform/command.ts'
import type { ConfigReader } from '../../platform/config/config-reader.ts'
import { wholeEnvironment } from '../../platform/config/env.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { readOpenArguments } from '../../platform/terminal/arguments.ts'
import { note, say, sayDrawn, showsColours } from '../../platform/terminal/terminal.ts'
import { cleanLine } from '../../platform/text.ts'
import { asClient } from '../api-client.ts'
import { type InstallRequest, setupPlace } from '../client-files/client-setup.ts'
import type { GateHere } from '../client-files/gated-servers.ts'
import { lastingProgram, missingSharedProgram, SHARED_PROGRAM } from '../client-files/program.ts'
import { loadSetupClients, type SetupClient } from '../clients/clients.ts'
import { askAgreement, showPlan } from '../setup/agree.ts'
import { isWhole, writeAll } from '../setup/carry-all.ts'
import { httpServersIn, registerServer, rememberEntries } from '../setup/http-gates.ts'
import { forgetUnchanged, readLedger } from '../setup/ledger.ts'
import { type ClientPlan, dropStarter, planClient } from '../setup/plan.ts'
import { asData, resultText } from '../setup/report.ts'
import type { ReadingPlace } from '../setup/server.ts'
import { gatesIn, noteGates } from '../setup/server-gates.ts'
import { canJailServers } from '../setup/server-starter.ts'
import { filesOf } from '../setup/sign-in.ts'

const OPTIONS = {
  client: { type: 'string', multiple: true },
  all: { type: 'boolean' },
  jail: { type: 'boolean' },
  project: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

type Flags = ReturnType<typeof readOpenArguments<typeof OPTIONS>>
type Way = 'add' | 'remove'

// What the server takes as the name of a gate.
const GATE_NAME = /^[A-Za-z0-9][\w.@: -]{0,63}$/
const SUBCOMMANDS = ['add', 'remove']

/** `beckon gate add NAME…` and `remove`: puts MCP servers of clients behind a gate, or takes them out. */
export async function gateServers(way: Way, args: string[], config: ConfigReader): Promise<number> {
  const flags = readOpenArguments(args, OPTIONS)
  const project = flags.project ? resolve('.') : undefined
  const place = { ...setupPlace(wholeEnvironment(), project), config }
  const { url, token } = config.readClientConfig(place.env)
  if (way === 'add' && !token) {
    throw new Failure(
      'conflict',
      'This machine is not connected to a server that a gate could ask: run "beckon setup" first.',
    )
  }
  const clients = await chosenClients(flags, place)
  const request = requestOf(place, { url: url ?? '', token: token ?? '' })
  const here = clients.flatMap((client) => filesOf(client, request).flatMap(gatesIn))
  const names = namesFor(way, flags, here)
  const servers = way === 'add' ? { add: names, drop: [] } : { add: [], drop: names }
  const http = way === 'add' && url && token && !project ? { base: url, token } : undefined
  const gates = { ...servers, http }
  if (!flags.jail) return await change(clients, { ...request, gates }, flags)
  for (const client of clients) mustJail(client, names, request)
  return await change(clients, { ...request, gates, jailServers: servers }, flags)
}

/** Throws `WrongUsage` if one of these servers of the client cannot be started in the jail. */
function mustJail(client: SetupClient, names: readonly string[], request: InstallRequest): void {
  const { place } = request
  if (place.project) throw new WrongUsage('--jail changes your own files, not those of a project.')
  if (place.platform !== 'linux') throw new WrongUsage('MCP servers can be held on Linux alone.')
  const all = filesOf(client, request).flatMap(gatesIn)
  const isNamed = all.some(({ name, is }) => isStarted(is) && names.includes(name))
  if (isNamed && !canJailServers(client, place))
    throw new WrongUsage(
      `${client.title} cannot start servers in the jail: name other clients with --client.`,
    )
}

function isStarted(is: GateHere['is']): boolean {
  return is === 'open' || is === 'gated'
}

async function change(
  clients: readonly SetupClient[],
  request: InstallRequest,
  flags: Flags,
): Promise<number> {
  const { place, token } = request
  const format = { place, colours: showsColours(1), secrets: token ? [token] : [] }
  const ledger = readLedger(place.env)
  const planned = clients
    .map((client) => planClient(client, request, 'write', ledger))
    .filter(({ outcomes }) => outcomes.some(({ is }) => is !== 'as_wanted'))
  if (flags['dry-run']) return showPlan(planned, 'write', format, flags)
  const agreed = await askAgreement(planned, 'write', format, flags)
  if (!agreed) return EXIT.failed
  const plans = await withHttpGates(agreed, request, flags)
  const done = writeAll(plans, place, ledger)
  for (const { client } of done) dropStarter(client, filesOf(client, request), ledger)
  forgetUnchanged(ledger, place.env)
  noteGates(
    done.flatMap(({ client }) => filesOf(client, request)),
    place,
  )
  const ok = done.every(isWhole)
  if (flags.json) {
    say(JSON.stringify({ ok, clients: asData(done, 'write', format) }, null, 2))
    return ok ? EXIT.done : EXIT.failed
  }
  for (const plan of done) sayDrawn(resultText(plan, 'write', format))
  if (done.length === 0) say('Nothing had to change.')
  const missing = place.project && missingSharedProgram(place)
  if (missing) note(missing)
  return ok ? EXIT.done : EXIT.failed
}

/**
 * The plans once Beckon's server has the servers over HTTP. With `--all` those stay as they are that it
 * cannot have. Throws `EndsWith` for others.
 */
async function withHttpGates(
  plans: readonly ClientPlan[],
  request: InstallRequest,
  { all }: Flags,
): Promise<ClientPlan[]> {
  const { gates, place } = request
  const files = plans.flatMap(({ client }) => filesOf(client, request))
  const servers = gates?.http ? httpServersIn(files, gates.add) : []
  if (!gates || servers.length === 0) return [...plans]
  const left: string[] = []
  await asClient(
    () => ({ url: gates.http?.base, token: gates.http?.token }),
    async (client) => {
      for (const server of servers) {
        const why = await registerServer(client, server).catch((error) => {
          if (!all || !(error instanceof Failure)) throw error
          return error
        })
        if (!(why instanceof Failure)) continue
        note(`"${cleanLine(server.name)}" stays without a gate: ${why.message}`)
        left.push(server.name)
      }
      return EXIT.done
    },
  )
  const add = gates.add.filter((name) => !left.includes(name))
  const next = { ...request, gates: { ...gates, add } }
  rememberEntries(
    plans.flatMap(({ client }) => filesOf(client, next)),
    place.env,
  )
  return plans.map((plan) => ({ ...plan, request: next }))
}

async function chosenClients(flags: Flags, place: ReadingPlace): Promise<SetupClient[]> {
  const all = await loadSetupClients()
  const names = flags.client
  if (!names) return all.filter((client) => client.detect(place))
  const unknown = names.find((name) => !all.some((client) => client.name === name))
  if (unknown !== undefined) {
    const titles = all.map(({ name }) => name).join(', ')
    throw new WrongUsage(`"${unknown}" is not a client that beckon sets up; these are: ${titles}.`)
  }
  return all.filter(({ name }) => names.includes(name))
}

function requestOf(place: ReadingPlace, server: { url: string; token: string }): InstallRequest {
  const program = place.project
    ? SHARED_PROGRAM
    : lastingProgram(place.env, { who: 'clients', command: 'beckon gate add' })
  const more = { http: false, strict: false, nativeDeny: false }
  return { place, program, ...server, ...more, gates: { add: [], drop: [] } }
}

/** The names that are meant. Throws `WrongUsage` for one that cannot come behind a gate. */
function namesFor(way: Way, flags: Flags, here: readonly GateHere[]): string[] {
  const { operands, all, project, jail } = flags
  if (all && operands.length > 0) throw new WrongUsage('Name servers, or give --all, not both.')
  const isUsable = ({ is, name }: GateHere) => {
    if (way === 'remove') return /^gated/.test(is)
    const overHttp = is === 'over_http' && !project && !jail
    return (is === 'open' || overHttp) && whyNoName(name) === undefined
  }
  const usable = [...new Set(here.filter(isUsable).map(({ name }) => name))]
  if (all) return usable
  if (operands.length === 0) {
    throw new WrongUsage(`Name the MCP servers, or give --all${listWords(usable)}`)
  }
  for (const name of operands) {
    const why = way === 'add' ? (whyNoName(name) ?? whyNotHere(name, here, flags)) : undefined
    if (why !== undefined) throw new WrongUsage(why)
    if (here.some((one) => one.name === name)) continue
    throw new WrongUsage(`No client here has an MCP server "${name}"${listWords(usable)}`)
  }
  return [...operands]
}

/** Why none of the servers of a name can come behind a gate. */
function whyNotHere(
  name: string,
  here: readonly GateHere[],
  { project, jail }: Flags,
): string | undefined {
  const all = here.filter((one) => one.name === name)
  if (all.some(({ is }) => is !== 'elsewhere' && !/over_http$/.test(is))) return undefined
  const [first] = all
  if (first?.is === 'elsewhere') return `"${name}" stays without a gate: ${first.why}.`
  if (first && jail) return `"${name}" is reached over HTTP: no jail on this machine can hold it.`
  if (first && project)
    return `"${name}" is reached over HTTP, so its entry would have your token, and a project shares its files. An owner adds it under Settings, Gates.`
  return undefined
}

function whyNoName(name: string): string | undefined {
  if (SUBCOMMANDS.includes(name)) return `A gate cannot be called "${name}"; rename the server.`
  if (GATE_NAME.test(name)) return undefined
  return `"${name}" cannot be the name of a gate: up to 64 letters, digits, spaces and . _ @ : -, the first a letter or a digit.`
}

function listWords(names: readonly string[]): string {
  return names.length > 0 ? `; these can be named: ${names.join(', ')}.` : '.'
}
