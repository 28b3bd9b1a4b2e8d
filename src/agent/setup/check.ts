import { EXIT } from '../../platform/command.ts'
import { findSetupFault } from '../../platform/config/client-file.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { cleanLine } from '../../platform/text.ts'
import { type InstallRequest, shownPath } from '../client-files/client-setup.ts'
import { lastingProgram, missingSharedProgram, SHARED_PROGRAM } from '../client-files/program.ts'
import { loadSetupClients, type SetupClient } from '../clients/clients.ts'
import { copiesWithToken, holdsOurToken } from './copies.ts'
import { describeEnforcement } from './describe-enforcement.ts'
import { type Ledger, readLedger } from './ledger.ts'
import { planClient } from './plan.ts'
import { serverLines } from './report.ts'
import { provenServer, type ReadingPlace } from './server.ts'
import { gatesIn } from './server-gates.ts'
import { canJailServers, startsServers } from './server-starter.ts'
import { filesOf, withoutToken } from './sign-in.ts'
import { tryGate, tryHttpGate } from './try-gate.ts'
import { tryHook } from './try-hook.ts'
import { waitNextWords } from './wait-next.ts'

type Finding = { client: string; ok: boolean; said: string }

/** `beckon setup --check`: tests the setup the way the clients use it. */
export async function checkClients(
  place: ReadingPlace,
  chosen: readonly SetupClient[],
  json: boolean,
): Promise<number> {
  const request = installRequestOf(place)
  const clients = chosen.length > 0 ? chosen : await setUpClients(request)
  const onlySignIn = clients.length > 0 && clients.every((one) => signsInAlone(one, request))
  const findings =
    onlySignIn && !place.config.readClientConfig(place.env).token ? [] : [await server(place)]
  for (const client of clients) {
    findings.push(...(await checkClient(client, request)))
    const sentence = waitNextWords(place.env, client)
    if (sentence) findings.push({ client: client.title, ok: true, said: sentence })
  }
  const ok = findings.every((finding) => finding.ok)
  if (json) say(JSON.stringify({ ok, findings }, null, 2))
  else {
    for (const one of findings) say(`${one.ok ? '✓' : '✗'} ${one.client}: ${cleanLine(one.said)}`)
    if (clients.length === 0) note('No client is set up here; run beckon setup.')
  }
  return ok ? EXIT.done : EXIT.failed
}

function installRequestOf(place: ReadingPlace): InstallRequest {
  const { url = 'http://localhost:8484', token = 'bk_none' } = place.config.readClientConfig(
    place.env,
  )
  const more = { http: false, strict: false, nativeDeny: false }
  const program = place.project ? SHARED_PROGRAM : lastingProgram(place.env)
  return { place, program, url: `${url}/api/mcp/mcp`, token, ...more }
}

async function setUpClients(request: InstallRequest): Promise<SetupClient[]> {
  const all = await loadSetupClients()
  const ledger = readLedger(request.place.env)
  return all.filter((one) => isSetUp(one, all, request, ledger))
}

/**
 * Returns true if our entries for this client are present. A file that several clients read (the
 * hooks of Copilot CLI and of VS Code) counts for those it was written for; if that is not known,
 * for those on this machine.
 */
function isSetUp(
  client: SetupClient,
  all: readonly SetupClient[],
  request: InstallRequest,
  ledger: Ledger,
): boolean {
  const { outcomes } = planClient(client, request, 'undo', {})
  const stalePaths = outcomes.filter(({ is }) => is === 'to_do').map(({ path }) => path)
  const others = all.filter((one) => one !== client).flatMap((one) => one.files(request))
  return stalePaths.some((path) => {
    if (!others.some((file) => file.path === path)) return true
    const entry = ledger[path]
    return entry ? entry.clients.includes(client.name) : client.detect(request.place)
  })
}

async function server({ env, config }: ReadingPlace): Promise<Finding> {
  const { url, token } = config.readClientConfig(env)
  const about = { client: 'Server' }
  if (!url || !token)
    return {
      ...about,
      ok: false,
      said: `${findSetupFault(env) ?? 'This machine has no address and token yet'}; run beckon setup.`,
    }
  try {
    const { devices, name } = await provenServer({ url, token }, env)
    const reach = devices === 1 ? '1 device' : `${devices} devices`
    const cure = devices > 0 ? '.' : '; connect a phone or browser there, under Settings, Devices.'
    const sentence = `${url} takes the token "${name}" and can reach ${reach}${cure}`
    return { ...about, ok: devices > 0, said: sentence }
  } catch (error) {
    return { ...about, ok: false, said: (error as Error).message }
  }
}

async function checkClient(client: SetupClient, request: InstallRequest): Promise<Finding[]> {
  const about = { client: client.title }
  const stale = staleFiles(client, request)
  const files: Finding =
    stale.length === 0
      ? { ...about, ok: true, said: 'Its files are as setup writes them.' }
      : {
          ...about,
          ok: false,
          said: `${stale.map((path) => shownPath(request.place, path)).join(', ')}: not as setup writes it; run beckon setup ${client.name}.`,
        }
  if (signsInAlone(client, request)) {
    const sentence =
      'It signs in by itself. It has no hooks of beckon, so no scope is enforced there.'
    return [
      files,
      ...tokenFiles(client, request),
      ...(client.hook ? [{ ...about, ok: true, said: sentence }] : []),
    ]
  }
  const findings = tokenFiles(client, request)
  const commands = { ...about, ok: true, said: await describeEnforcement(client, request.place) }
  const twice = duplicates(client, request)
  const hooks = client.hook === undefined ? [] : [await checkHook(client, request)]
  return [
    files,
    ...findings,
    ...hooks,
    commands,
    ...(await checkServers(client, request)),
    ...(await checkGates(client, request)),
    ...twice,
  ]
}

/** Returns true if the client was set up with `--sign-in`, and has no hooks of an earlier setup. */
function signsInAlone(client: SetupClient, request: InstallRequest): boolean {
  if (!signsIn(client, request)) return false
  const starts = new RegExp(`\\bhook\\W{1,6}${client.name}\\b`)
  return !client.files(request).some(({ path }) => starts.test(request.place.read(path)))
}

/**
 * Returns true if the client's entry is an address of `--sign-in`, on any server. Other files of
 * this machine may not name that server.
 */
function signsIn(client: SetupClient, request: InstallRequest): boolean {
  if (!client.signIn) return false
  return addressesIn(client, request).some((url) => {
    const { outcomes } = planClient(client, withoutToken(request, url), 'write', {})
    return outcomes.every(({ is }) => is === 'as_wanted')
  })
}

function addressesIn(client: SetupClient, request: InstallRequest): string[] {
  const texts = client.files(request).map(({ path }) => request.place.read(path))
  const matches = texts.flatMap((text) => [...text.matchAll(/(https?:\/\/[^\s"'/]+)\/mcp\b/g)])
  return [...new Set(matches.map(([, origin = '']) => origin))]
}

/** The files that setup would change, whatever its options. */
function staleFiles(client: SetupClient, request: InstallRequest): string[] {
  const candidates = [true, false].flatMap((http) =>
    [true, false].flatMap((strict) => {
      const { outcomes } = planClient(client, { ...request, http, strict }, 'write', {})
      return [outcomes.filter(({ is }) => is !== 'as_wanted').map(({ path }) => path)]
    }),
  )
  // A client that signs in has no hooks of ours that could be stale, or those of an earlier setup.
  if (signsIn(client, request)) return []
  return candidates.sort((one, other) => one.length - other.length)[0] ?? []
}

/**
 * Reports which other MCP servers of the client are started in the jail, and whether they can be.
 */
async function checkServers(client: SetupClient, request: InstallRequest): Promise<Finding[]> {
  const plan = planClient(client, request, 'write', {})
  const lines = serverLines(plan).map((sentence) => ({
    client: client.title,
    ok: true,
    said: sentence,
  }))
  const isUsed = plan.servers.some(({ is }) => is === 'in_the_jail')
  if (!isUsed || !canJailServers(client, request.place)) return lines
  const fault = await startsServers(client, request.place)
  return [...lines, ...(fault ? [{ client: client.title, ok: false, said: fault }] : [])]
}

/** Reports which MCP servers stand behind a gate, and uses each as the client does. */
async function checkGates(client: SetupClient, request: InstallRequest): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const one of filesOf(client, request).flatMap(gatesIn)) {
    if (one.is !== 'gated' && one.is !== 'gated_over_http') continue
    const fault =
      one.is === 'gated'
        ? await tryGate(one.start, request.place)
        : await tryHttpGate(one.name, one.address)
    const answers = `The MCP server "${one.name}" answers through its gate.`
    findings.push({ client: client.title, ok: fault === undefined, said: fault ?? answers })
  }
  return findings
}

async function checkHook(client: SetupClient, request: InstallRequest): Promise<Finding> {
  const missing = request.place.project && missingSharedProgram(request.place)
  const tried = missing ? { ok: false, said: missing } : await tryHook(client, request)
  return { client: client.title, ...tried }
}

/**
 * Returns true if the client's files are those of `--http`: they contain the token, and only their
 * owner can read them.
 */
function isOverHttp(client: SetupClient, request: InstallRequest): boolean {
  return [true, false].some((strict) => {
    const { outcomes } = planClient(client, { ...request, http: true, strict }, 'write', {})
    return outcomes.every(({ is }) => is === 'as_wanted')
  })
}

/** Files that contain the token although they should not, and copies of them. */
function tokenFiles(client: SetupClient, request: InstallRequest): Finding[] {
  const isWanted = isOverHttp(client, request)
  const files = client.files(request).flatMap((file) => {
    const copies = copiesWithToken(file).map(({ path }) => path)
    return !isWanted && holdsOurToken(request.place.read(file.path), file)
      ? [file.path, ...copies]
      : copies
  })
  if (files.length === 0) return []
  const list = files.map((path) => shownPath(request.place, path)).join(', ')
  const sentence = `${list}: contains the server’s token; run beckon setup ${client.name} to remove it.`
  return [{ client: client.title, ok: false, said: sentence }]
}

/** Other places from which the same client would start our hook once more. */
function duplicates({ title, findDuplicate }: SetupClient, { place }: InstallRequest): Finding[] {
  const sentence = findDuplicate?.(place)
  return sentence === undefined ? [] : [{ client: title, ok: false, said: sentence }]
}
