import { expect, test } from 'bun:test'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InstallRequest, setupPlace } from '../../../src/agent/client-files/client-setup.ts'
import { HOOK_CLIENTS, loadSetupClients } from '../../../src/agent/clients/clients.ts'
import { tryHook } from '../../../src/agent/setup/try-hook.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')

async function tried(name: string, { path }: { path: string }, program: InstallRequest['program']) {
  const client = (await loadSetupClients()).find((one) => one.name === name)
  if (!client) throw new Error('there is no such client')
  const env = { HOME: path, XDG_CONFIG_HOME: join(path, 'c'), XDG_STATE_HOME: join(path, 's') }
  const more = { url: 'http://localhost:1', token: 't', http: false, strict: false }
  const place = setupPlace(env, undefined)
  // How fast it is says nothing on a busy machine.
  const slowMs = Number.POSITIVE_INFINITY
  return await tryHook(client, { place, program, nativeDeny: false, ...more }, slowMs)
}

test.each(HOOK_CLIENTS)(
  'the hook of %s leaves a call alone, and refuses another',
  async (name) => {
    using folder = tempFolder()
    const program = { command: process.execPath, args: ['--no-env-file', MAIN] }
    expect(await tried(name, folder, program)).toMatchObject({
      said: expect.stringContaining('Its hook runs'),
    })
    // Neither the server nor a later hook hears of it.
    expect(existsSync(join(folder.path, 's'))).toBe(false)
  },
  30_000,
)

test('a hook that refuses nothing is not right', async () => {
  using folder = tempFolder()
  const command = join(folder.path, 'beckon')
  writeFileSync(command, '#!/bin/sh\ncat >/dev/null\nexit 0\n')
  chmodSync(command, 0o755)
  for (const name of HOOK_CLIENTS)
    expect(await tried(name, folder, { command, args: [] })).toMatchObject({
      ok: false,
      said: expect.stringContaining('Nothing is enforced there.'),
    })
})
