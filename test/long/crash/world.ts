import { Database } from 'bun:sqlite'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { newId } from '../../../src/platform/ids.ts'
import { beckon } from '../../support/beckon.ts'
import { callbackReceiver } from '../../support/callback-receiver.ts'
import { connect } from '../../support/devices.ts'
import { pushServer } from '../../support/push-server.ts'
import { signInAt } from '../../support/sign-in.ts'
import { smallDisk } from '../../support/small-disk.ts'
import { tempFolder } from '../../support/temp-folder.ts'

export const PASSWORD = 'correct horse battery'
export const EMAIL = 'ada@example.com'

export type CrashWorld = Awaited<ReturnType<typeof crashWorld>>

/**
 * A data folder with an owner, a token and a phone, and the outside servers it talks to; on a
 * disk of so many megabytes where one is asked for.
 */
export async function crashWorld(diskOf?: number) {
  const folder = tempFolder()
  const disk = diskOf ? smallDisk(folder.path, diskOf) : undefined
  const data = folder.path
  const receiver = await callbackReceiver()
  const push = await pushServer()
  // One token of one person does what many do in a day.
  const settings = ['allow_private_hosts = "127.0.0.1"', 'token_limit_factor = 1000']
  writeFileSync(join(data, 'beckon.toml'), settings.join('\n'))
  {
    await using db = openDataFolder(data)
    const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', 1), 1))
    await connect(db, { workspaceId, kind: 'phone', label: 'Phone', ...push.subscribe('phone') })
  }
  const person = ['user', 'add', '--email', EMAIL, '--password-stdin', '--data', data]
  await beckon(person, { stdin: PASSWORD })
  const { out } = await beckon(['key', 'create', '--name', 'crash', '--data', data])
  return {
    data,
    receiver,
    push,
    agent: { authorization: `Bearer ${out.trim()}` },
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]()
      await push[Symbol.asyncDispose]()
      disk?.[Symbol.dispose]()
      folder[Symbol.dispose]()
    },
  }
}

/** The headers of the owner, signed in. */
export async function signIn(url: string): Promise<Record<string, string>> {
  return { origin: url, cookie: await signInAt(url, { email: EMAIL, password: PASSWORD }) }
}

/** Half a minute goes by: what the ended process had claimed is free, and retries are due. */
export function letClaimsRunOut(data: string) {
  using db = new Database(join(data, 'beckon.db'))
  db.run("update callbacks set claimed_until = 0, next_at = 0 where state = 'waiting'")
  db.run("update deliveries set claimed_until = 0, next_at = 0 where state = 'waiting'")
}
