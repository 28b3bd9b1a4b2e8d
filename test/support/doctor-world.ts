import { tmpdir } from 'node:os'
import { homeWorkspace } from '../../src/ask/accounts/model/workspace-store.ts'
import { recordSuccess, saveSubscriber } from '../../src/ask/subscribers/model/store.ts'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'
import { beckon } from './beckon.ts'
import { aDevice } from './devices.ts'

/** A program at a port of its own, for as long as it is in scope. */
export function program(
  answer: (request: Request) => Response | Promise<Response>,
): { url: string; port: number } & AsyncDisposable {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: answer })
  return {
    url: `http://localhost:${server.port}`,
    port: server.port ?? 0,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

/** A data folder with Ada, who has a password, and a token; the token is returned. */
export async function setUpFolder(data: string): Promise<string> {
  const ada = ['user', 'add', '--email', 'ada@example.com', '--password-stdin', '--data', data]
  await beckon(ada, { stdin: 'correct horse battery' })
  const { out } = await beckon(['key', 'create', '--name', 'laptop', '--data', data])
  return out.trim()
}

/** Connects a device that took its last message. */
export async function connectDevice(data: string, endpoint: string): Promise<void> {
  await using db = openDataFolder(data)
  const now = Date.now()
  const workspaceId = await db.write((tx) => homeWorkspace(tx, 'ws_none', now))
  await db.write(async (tx) => {
    const { id } = await saveSubscriber(tx, aDevice({ workspaceId, endpoint, label: 'Pixel' }))
    await recordSuccess(tx, [id], now)
  })
}

export type Found = {
  ok: boolean
  exitCode: number
  version: string
  checks: Array<{ name: string; link: string; state: string; said: string; cure?: string }>
}

/** Runs `beckon doctor` beside a server; no client of an agent is in the home folder. */
export function runDoctor(
  data: string,
  port: number,
  more: string[] = [],
  env: Record<string, string> = {},
) {
  const args = ['doctor', '--data', data, '--port', String(port), ...more]
  return beckon(args, { env: { HOME: tmpdir(), ...env } })
}
