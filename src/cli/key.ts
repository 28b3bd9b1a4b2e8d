import type { AgentToken } from '../ask/accounts/model/agent.ts'
import { listTokens } from '../ask/accounts/model/token-store.ts'
import { chooseOwner } from '../ask/people/token-owner.ts'
import { chooseWorkspace, createToken, revokeToken } from '../ask/tokens/agent-tokens.ts'
import { isoTime, systemClock } from '../platform/clock.ts'
import { EXIT } from '../platform/command.ts'
import { isKnownFolder } from '../platform/db/data-folder.ts'
import { openDatabase, openKnownDatabase } from '../platform/db/open-database.ts'
import { DATA_OPTION, readArguments, required, subcommand } from '../platform/terminal/arguments.ts'
import { note, say, table } from '../platform/terminal/terminal.ts'
import { readConfig } from '../settings.ts'
import { refuseBesideService } from './service/beside-service.ts'

const WORKSPACE = { workspace: { type: 'string' }, json: { type: 'boolean' } } as const

/** `beckon key`: the tokens of agents. */
export async function key(args: string[]): Promise<number> {
  const { way, rest } = subcommand(args, { create, list, revoke })
  return await way(rest)
}

async function create(args: string[]): Promise<number> {
  const { data, name, owner, workspace, test, json } = readArguments(args, {
    ...DATA_OPTION,
    ...WORKSPACE,
    name: { type: 'string' },
    owner: { type: 'string' },
    test: { type: 'boolean' },
  })
  const input = { name: required(name, 'name'), test: test ?? false }
  await using deps = await open(data, openDatabase)
  const workspaceId = await chooseWorkspace(deps, workspace)
  const whose = await chooseOwner(deps.db.read, workspaceId, owner)
  const { token, record } = await createToken(deps, {
    ...input,
    workspaceId,
    ...(whose && { owner: whose }),
  })
  if (deps.made) note(`There was no data folder at ${deps.place}: this made a new one.`)
  if (json) {
    say(JSON.stringify({ token, ...publicFields(record) }))
    return EXIT.done
  }
  say(token)
  note(`This is ${record.id}, "${record.name}", in ${deps.place}.`)
  note('The token is shown this once: keep it now.')
  return EXIT.done
}

async function list(args: string[]): Promise<number> {
  const { data, workspace, json } = readArguments(args, { ...DATA_OPTION, ...WORKSPACE })
  await using deps = await open(data)
  const tokens = await listTokens(deps.db.read, await chooseWorkspace(deps, workspace))
  if (json) {
    say(JSON.stringify(tokens.map(publicFields)))
    return EXIT.done
  }
  if (tokens.length === 0) note('There are no tokens yet; beckon key create makes one.')
  if (tokens.length > 0) say(table(['ID', 'NAME', 'TOKEN', 'STATE', 'LAST USED'], tokens.map(row)))
  return EXIT.done
}

// Agents see a rotated token as a new one, and the old one as revoked.
const FOLLOWED =
  'Its questions stay open, but agents that follow them as tasks are no longer told. To get an answer, call wait_for_answer with the correlationId and another token of the workspace.'

async function revoke(args: string[]): Promise<number> {
  const { data, ID } = readArguments(args, DATA_OPTION, ['ID'])
  await using deps = await open(data)
  const { id, name } = await revokeToken(deps, { id: ID })
  say(`${id}, "${name}", is revoked.`)
  note(FOLLOWED)
  return EXIT.done
}

/** A token may be made before the first start; every other subcommand needs an existing folder. */
async function open(data: string | undefined, openIt = openKnownDatabase) {
  const config = readConfig({ data })
  const { database, dataFolder } = config
  const isNew = !database && !isKnownFolder(dataFolder)
  await refuseBesideService(config)
  const db = await openIt(config)
  const place = database ? db.place : dataFolder
  const close = () => db[Symbol.asyncDispose]()
  return { db, clock: systemClock, place, made: isNew, [Symbol.asyncDispose]: close }
}

function row(token: AgentToken): string[] {
  const { id, name, tail, revokedAt, test, lastUsedAt, lastUsedFrom, connection } = token
  const live = test ? 'test' : 'active'
  const from = lastUsedFrom ? ` from ${lastUsedFrom}` : ''
  return [
    id,
    name,
    connection ? (connection.host ?? connection.returnsTo) : `bk_…${tail}`,
    revokedAt === null ? live : 'revoked',
    lastUsedAt === null ? 'never' : `${isoTime(lastUsedAt)}${from}`,
  ]
}

/** The token in the form for scripts: times in ISO 8601. */
function publicFields({ createdAt, revokedAt, lastUsedAt, ...token }: AgentToken) {
  return {
    ...token,
    createdAt: isoTime(createdAt),
    revokedAt: revokedAt === null ? null : isoTime(revokedAt),
    lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
  }
}
