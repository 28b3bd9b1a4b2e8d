import { ROLES, type Role } from '../ask/accounts/model/person.ts'
import { listPeople } from '../ask/accounts/model/person-store.ts'
import { addPerson, type Invited, resetPerson } from '../ask/people/people.ts'
import { setUpUrl } from '../ask/sign-in/set-up.ts'
import { isoTime, systemClock } from '../platform/clock.ts'
import { EXIT } from '../platform/command.ts'
import type { Config } from '../platform/config/config.ts'
import { openDatabase, openKnownDatabase } from '../platform/db/open-database.ts'
import { addressForLinks } from '../platform/db/server-address.ts'
import { WrongUsage } from '../platform/failure.ts'
import { DATA_OPTION, readArguments, required, subcommand } from '../platform/terminal/arguments.ts'
import { note, say, table } from '../platform/terminal/terminal.ts'
import { readConfig } from '../settings.ts'
import { refuseBesideService } from './service/beside-service.ts'

const ENTRY = {
  ...DATA_OPTION,
  'base-url': { type: 'string' },
  email: { type: 'string' },
  'password-stdin': { type: 'boolean' },
} as const

/** `beckon user`: the people who sign in. */
export async function user(args: string[]): Promise<number> {
  const { way, rest } = subcommand(args, { add, list, reset })
  return await way(rest)
}

async function add(args: string[]): Promise<number> {
  const flags = readArguments(args, {
    ...ENTRY,
    name: { type: 'string' },
    role: { type: 'string' },
  })
  const email = required(flags.email, 'email')
  const role = readRole(flags.role)
  const entry = await readEntry(flags)
  await using deps = await open(flags, openDatabase)
  const added = await addPerson(deps, {
    email,
    ...entry,
    ...(flags.name === undefined ? {} : { name: flags.name }),
    ...(role === undefined ? {} : { role }),
  })
  note(`${added.person.email} is added as ${added.person.role} in ${deps.place}.`)
  return tell(added, deps.config, flags)
}

async function reset(args: string[]): Promise<number> {
  const flags = readArguments(args, ENTRY)
  const email = required(flags.email, 'email')
  const entry = await readEntry(flags)
  await using deps = await open(flags)
  return tell(await resetPerson(deps, { email, ...entry }), deps.config, flags)
}

async function list(args: string[]): Promise<number> {
  const flags = readArguments(args, { ...DATA_OPTION, json: { type: 'boolean' } })
  await using deps = await open(flags)
  const people = await listPeople(deps.db.read)
  const publicFields = people.map(({ createdAt, ...person }) => ({
    ...person,
    createdAt: isoTime(createdAt.getTime()),
  }))
  if (flags.json) {
    say(JSON.stringify(publicFields))
    return EXIT.done
  }
  if (publicFields.length === 0)
    note('Nobody can sign in yet; beckon user add makes the first person.')
  if (publicFields.length > 0) {
    const rows = publicFields.map((person) => [
      person.email,
      person.name,
      person.role,
      person.workspace,
    ])
    say(table(['E-MAIL', 'NAME', 'ROLE', 'WORKSPACE'], rows))
  }
  return EXIT.done
}

function tell({ person, code }: Invited, config: Config, flags: ServerFlags): number {
  if (code === undefined) {
    note(`${person.email} signs in with the new password.`)
    return EXIT.done
  }
  const { baseUrl, doubt } = addressForLinks(config, flags['base-url'])
  say(setUpUrl(baseUrl, code))
  note(`${person.email} opens this link, once and within a day, to choose how to sign in.`)
  if (doubt) note(doubt)
  return EXIT.done
}

function readRole(role: string | undefined): Role | undefined {
  if (role === undefined) return undefined
  const existing = ROLES.find((one) => one === role)
  if (existing) return existing
  throw new WrongUsage('--role must be owner, member or auditor.')
}

async function readEntry(flags: { 'password-stdin'?: boolean | undefined }) {
  if (!flags['password-stdin']) return {}
  const text = await Bun.stdin.text()
  // `echo` adds a line end that is not part of the password.
  return { password: text.replace(/\r?\n$/, '') }
}

type ServerFlags = { data?: string | undefined; 'base-url'?: string | undefined }

/**
 * The first person may be added before the first start; every other subcommand needs an existing
 * folder.
 */
async function open(flags: ServerFlags, openIt = openKnownDatabase) {
  const { data, 'base-url': url } = flags
  const config = readConfig({ data, 'base-url': url })
  const { database, dataFolder } = config
  await refuseBesideService(config)
  const db = await openIt(config)
  const place = database ? db.place : dataFolder
  const close = () => db[Symbol.asyncDispose]()
  return { db, clock: systemClock, place, config, [Symbol.asyncDispose]: close }
}
