import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import { clientFilePath } from '../../platform/config/client-file.ts'
import { redactSecrets } from '../../platform/redact/redact.ts'
import { inColour } from '../../platform/terminal/terminal.ts'
import { cleanLine, visibleText } from '../../platform/text.ts'
import { type Place, shownPath } from '../client-files/client-setup.ts'
import type { ServerHere } from '../client-files/jailed-servers.ts'
import { commandLine, ownProgram, wordsOf } from '../client-files/program.ts'
import type { AgentClient } from '../clients/client.ts'
import type { FileChange } from './change.ts'
import type { ClientPlan, SetupOutcome, Way } from './plan.ts'

const SIGNS = { good: ['✓', 'green'], bad: ['✗', 'red'], note: ['→', 'cyan'] } as const

/** How setup reports: with colours on a terminal. */
export type ReportOptions = { place: Place; colours: boolean; secrets: readonly string[] }

function symbolOf(kind: keyof typeof SIGNS, { colours }: ReportOptions): string {
  const [symbol, colour] = SIGNS[kind]
  return inColour(colour, symbol, colours)
}

/** Lists the clients that are installed here, and those that are not. */
export function clientsText(here: readonly AgentClient[], all: readonly AgentClient[]): string {
  const names = (clients: readonly AgentClient[]) => clients.map(({ title }) => title).join(', ')
  const missing = all.filter((client) => !here.includes(client))
  const installed = here.length === 0 ? 'No client was found.' : `Found: ${names(here)}.`
  return missing.length === 0 ? installed : `${installed}\nNot on this machine: ${names(missing)}.`
}

/** The files that will change, and those that cannot. */
export function planText(plans: readonly ClientPlan[], way: Way, format: ReportOptions): string {
  const lines = plans.flatMap(({ client, outcomes, servers }) => [
    client.title,
    ...outcomes.map((outcome) => `  ${planned(outcome, way, format)}`),
    ...serverLines({ client, servers }).map((line) => `  ${line}`),
  ])
  return lines.join('\n')
}

/** How the client starts its other MCP servers, where it could start them in the jail. */
export function serverLines({ client, servers }: Pick<ClientPlan, 'client' | 'servers'>): string[] {
  const namesOf = (is: ServerHere['is']) => [
    ...new Set(servers.filter((one) => one.is === is).map(({ name }) => cleanLine(name))),
  ]
  const [inside, outside] = [namesOf('in_the_jail'), namesOf('outside')]
  const offer = `To start one there: beckon setup ${client.name} --jail-server ${outside[0] ?? ''}`
  return [
    ...(inside.length > 0 ? [`MCP servers in the jail: ${inside.join(', ')}.`] : []),
    ...(outside.length > 0
      ? [`MCP servers outside of the jail: ${outside.join(', ')}. ${offer}`]
      : []),
  ]
}

function planned(
  { path, is, why, change }: SetupOutcome,
  way: Way,
  { place }: ReportOptions,
): string {
  const label = shownPath(place, path)
  if (is === 'broken') return `${label}: stays as it is, ${cleanLine(why ?? '')}`
  if (!change)
    return `${label}: ${way === 'write' ? 'is as it should be' : 'holds nothing of ours'}`
  if (!change.bytes) return `${label}: will be removed`
  if (!change.file.bytes) return `${label}: will be made`
  const token = tokenWords(change)
  return `${label}: will be changed${token ? `: ${token}` : ''}`
}

/** Says what happens to a token that an earlier version wrote. */
function tokenWords({ tokenOut, copies = [] }: FileChange): string | undefined {
  if (!tokenOut && copies.length === 0) return undefined
  const file = tokenOut ? ['it'] : []
  const where = [...file, ...(copies.length > 0 ? ['the copy beside it'] : [])].join(' and ')
  const way = tokenOut ? '; the client starts "beckon mcp" instead' : ''
  return `the token is taken out of ${where}${way}`
}

/** The clients that keep settings of an earlier setup which were not given again. */
export function strictText(plans: readonly ClientPlan[]): string {
  const names = plans.map(({ client }) => client.title).join(', ')
  return `Strict as before, until --no-strict: ${names}.`
}

/** The clients whose end-of-turn hook waits for a person. */
export function waitNextText(clients: readonly Pick<AgentClient, 'title'>[]): string {
  const names = clients.map(({ title }) => title).join(', ')
  return `After a long turn the hook waits for what you say next, until --no-wait-next: ${names}.`
}

/** The diff of every file that would change. */
export function diffText(plans: readonly ClientPlan[], { place, secrets }: ReportOptions): string {
  const changes = plans.flatMap(({ outcomes }) => outcomes.flatMap(({ change }) => change ?? []))
  return changes.map((change) => diffOf(change, place, secrets)).join('\n')
}

/** The result for each file of a client, and the steps that are left to the person. */
export function resultText(plan: ClientPlan, way: Way, format: ReportOptions): string {
  const { client, outcomes } = plan
  const bad = outcomes.some(({ is }) => is === 'broken')
  const lines = outcomes.map((outcome) => `    ${became(outcome, way, format)}`)
  const remaining = way === 'write' && !bad ? [...serverLines(plan), ...stepsAfterSetup(plan)] : []
  return [
    `${symbolOf(bad ? 'bad' : 'good', format)} ${client.title}`,
    ...lines.map(visibleText),
    ...remaining.map((sentence) => `    ${symbolOf('note', format)} ${visibleText(sentence)}`),
  ].join('\n')
}

function stepsAfterSetup(plan: ClientPlan): readonly string[] {
  const { client, request } = plan
  if (request.gates)
    return [`Restart ${client.title}: running sessions keep the servers they have.`]
  // The address and token that its hooks need are missing.
  return request.signIn ? afterOf(plan) : [...afterOf(plan), `To check: ${client.check}`]
}

function afterOf({ client, request }: Pick<ClientPlan, 'client' | 'request'>): readonly string[] {
  return (request.signIn && client.signIn) || client.after(request)
}

function became(
  { path, is, why, change }: SetupOutcome,
  way: Way,
  { place, secrets }: ReportOptions,
): string {
  const label = shownPath(place, path)
  if (is === 'broken') return `${label} stays as it is: ${masked(cleanLine(why ?? ''), secrets)}.`
  if (is === 'kept') return `${label} stays, because another client needs it.`
  if (is === 'as_wanted')
    return `${label} ${way === 'write' ? 'is as it should be' : 'holds nothing of ours'}.`
  if (way === 'undo') return `${label} ${undone(change?.bytes !== undefined, change?.back)}`
  if (!change?.file.bytes) return `${label} is made.`
  const token = tokenWords(change)
  if (token) return `${label} is changed: ${token}.`
  return `${label} is changed; a copy of what was there is beside it, ending in .beckon-backup.`
}

function undone(isThere: boolean, back: 'whole' | 'entries' | undefined): string {
  if (!isThere) return 'is removed.'
  if (back === 'whole') return 'is byte for byte what it was before.'
  return 'has changed since setup: only our entries were removed.'
}

/** Everything about the files as data. */
export function asData(plans: readonly ClientPlan[], way: Way, format: ReportOptions) {
  return plans.map(({ client, request, outcomes, servers }) => ({
    name: client.name,
    title: client.title,
    files: outcomes.map(({ path, is, why, change }) => ({
      path,
      state: is,
      ...(why === undefined ? {} : { why: masked(why, format.secrets) }),
      ...(change ? { diff: diffOf(change, format.place, format.secrets) } : {}),
      ...(change?.tokenOut || change?.copies?.length ? { tokenOut: true } : {}),
      ...(change?.back ? { undone: change.back } : {}),
    })),
    ...(way === 'write'
      ? {
          servers,
          strict: request.strict,
          after: afterOf({ client, request }),
          check: client.check,
        }
      : {}),
  }))
}

/** The first thing to try: one command, or what to tell a client that has no token on this machine. */
export function tryText(plans: readonly ClientPlan[], { env }: Place): string {
  const [first] = plans
  if (first?.request.signIn) {
    return `Try it: tell ${first.client.title} "Ask me through Beckon whether I am here."`
  }
  const own = Bun.which('beckon', { PATH: env.PATH ?? '' }) ? ['beckon'] : wordsOf(ownProgram())
  return `Try it: ${commandLine([...own, 'ask', 'Does this ring?'])}`
}

/** Where the address and the token are kept on this machine. */
export function clientFileText({ place }: ReportOptions): string {
  return shownPath(place, clientFilePath(place.env))
}

/** The change as a unified diff; a token in it is cut, and other secrets of the file are hidden. */
function diffOf({ file, bytes, text }: FileChange, place: Place, secrets: readonly string[]) {
  const name = shownPath(place, file.path)
  const before = file.bytes ? name : '/dev/null'
  const after = bytes ? name : '/dev/null'
  const patch = createTwoFilesPatch(before, after, file.text, text, undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY,
  })
  return withoutSecrets(masked(patch, secrets))
}

// Some programs keep all of their state in one line.
const LINE_MAX = 4_000
// How much is searched for secrets at a time.
const CHUNK_MAX = 50_000

/**
 * `text` with anything that looks like a secret hidden, and very long lines cut, each with a note.
 */
function withoutSecrets(text: string): string {
  const chunks: string[][] = []
  let size = CHUNK_MAX
  for (const line of text.split('\n')) {
    const more = line.length - LINE_MAX
    const safeLine = more > 0 ? `${redactSecrets(line, LINE_MAX)}… (${more} more)` : line
    size += safeLine.length + 1
    if (size > CHUNK_MAX) {
      chunks.push([])
      size = safeLine.length
    }
    chunks.at(-1)?.push(safeLine)
  }
  return chunks.map((lines) => redactSecrets(lines.join('\n'))).join('\n')
}

/** The text with only the end of each secret, and of anything that looks like a token. */
function masked(text: string, secrets: readonly string[]): string {
  const safeText = secrets
    .filter((secret) => secret !== '')
    .reduce((line, secret) => line.replaceAll(secret, `bk_…${secret.slice(-4)}`), text)
  // A token of an earlier setup is treated like the one that is known.
  return safeText.replace(/bk_[0-9A-Za-z]{28,}([0-9A-Za-z]{4})/g, 'bk_…$1')
}
