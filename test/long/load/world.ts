import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { addPerson } from '../../../src/ask/people/people.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { newId } from '../../../src/platform/ids.ts'
import { connect } from '../../support/devices.ts'
import { type ServerProcess, serverProcess } from '../../support/server-process.ts'
import { signInAt } from '../../support/sign-in.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { externalId } from './plan.ts'
import { type PushReceiver, pushReceiver } from './push-receiver.ts'

const PASSWORD = 'a password for the load'
const emailOf = (n: number) => `person${n}@example.com`

export type World = AsyncDisposable & {
  data: string
  tokens: string[]
  push: PushReceiver
  /** The server as its own process, on the port it had before. */
  start(): Promise<ServerProcess>
  /** Signs everybody in; resolves to their cookies. */
  signIn(url: string): Promise<string[]>
}

/** What is run, and who hears how it goes. */
export type How = {
  /** Another build of the server than the sources. */
  program?: readonly string[] | undefined
  say?: (line: string) => void
}

type Size = {
  subscribers: number
  people: number
  tokens: number
  program?: readonly string[] | undefined
}

/** A data folder with people, tokens and devices, and the push service these belong to. */
export async function loadWorld(size: Size, push = pushReceiver()): Promise<World> {
  const folder = tempFolder()
  const data = folder.path
  // As behind a proxy, so that everybody signs in from an address of their own.
  const settings = [
    'allow_private_hosts = "127.0.0.1"',
    'trust_proxy = "loopback"',
    'token_limit_factor = 1000',
    'vapid_subject = "mailto:load@example.com"',
  ]
  writeFileSync(join(data, 'beckon.toml'), `${settings.join('\n')}\n`)
  const tokens = await fill(data, size, push)
  let port = 0
  return {
    ...{ data, tokens, push },
    async start() {
      const { program } = size
      const server = await serverProcess(data, port, program ? { program } : {})
      port = server.port
      return server
    },
    async signIn(url) {
      return await Promise.all(Array.from({ length: size.people }, (_, n) => signIn(url, n)))
    },
    async [Symbol.asyncDispose]() {
      await push[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

async function fill(data: string, size: Size, push: PushReceiver): Promise<string[]> {
  await using db = openDataFolder(data)
  const now = clock.now()
  const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', now), now))
  for (let n = 0; n < size.people; n++) {
    await addPerson({ db, clock }, { email: emailOf(n), password: PASSWORD })
  }
  const devices = Array.from({ length: size.subscribers }, (_, n) => ({
    ...{ workspaceId, personId: undefined, label: `Device ${n}`, externalId: externalId(n) },
    ...push.subscribe(String(n)),
  }))
  await connect(db, ...devices)
  const make = () => createToken({ db, clock }, { workspaceId, name: 'load' })
  const results = await Promise.all(Array.from({ length: size.tokens }, make))
  return results.map(({ token }) => token)
}

function signIn(url: string, n: number): Promise<string> {
  const person = { email: emailOf(n), password: PASSWORD }
  return signInAt(url, person, { 'x-forwarded-for': `192.0.2.${n}` })
}

/** Lines of a log that are a warning or worse. */
export function complaintsIn(log: string): string[] {
  const lines = log.split('\n').filter((line) => /^\d\d:\d\d:\d\d\.\d{3} (warn|error) /.test(line))
  return lines.map((line) => `logged: ${line}`)
}
