import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownProgram } from '../../../src/agent/client-files/program.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')

test('a hook that is run from the sources takes nothing from the folder of the agent', async () => {
  using folder = tempFolder()
  const at = (name: string) => join(folder.path, name)
  writeFileSync(at('.env'), `XDG_STATE_HOME=${at('elsewhere')}\nBECKON_TOKEN=mine\n`)
  writeFileSync(at('bunfig.toml'), 'preload = ["./mine.ts"]\n')
  writeFileSync(at('mine.ts'), `require('node:fs').writeFileSync(${JSON.stringify(at('ran'))}, '')`)
  const { command, args } = ownProgram()
  // The main file of this process is that of the test.
  const own = [command, ...args.slice(0, -1), MAIN]
  const child = Bun.spawn([...own, 'hook', 'claude'], {
    cwd: folder.path,
    env: { HOME: folder.path, BECKON_URL: 'http://127.0.0.1:1' },
    stdin: new Blob(['{"hook_event_name":"SessionStart","session_id":"s","cwd":"/"}']),
    stdout: 'pipe',
  })
  // The token that the folder sets would be one for that server.
  expect([await child.exited, await new Response(child.stdout).text()]).toEqual([
    0,
    expect.stringContaining('there is no token for that server'),
  ])
  expect([existsSync(at('ran')), existsSync(at('elsewhere'))]).toEqual([false, false])
})
