import { expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'
import { runCommand } from '../support/run-command.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { wholeServer } from '../support/whole-server.ts'
import { testedBlocks } from './blocks.ts'

const MAIN = join(import.meta.dir, '../../src/main.ts')

test('every shell example runs as it is written', async () => {
  await using server = await wholeServer()
  using folder = tempFolder()
  const command = join(folder.path, 'beckon')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`)
  chmodSync(command, 0o755)
  // The folder that the page has begun by then.
  await openDataFolder(join(folder.path, 'data'))[Symbol.asyncDispose]()
  const env = {
    PATH: `${folder.path}:${process.env.PATH}`,
    HOME: folder.path,
    BECKON_URL: server.url,
    BECKON_TOKEN: await server.token(),
  }
  const blocks = await testedBlocks('sh')
  expect(blocks.length).toBeGreaterThan(2)
  for (const { page, text } of blocks) {
    const { code, out, err } = await runCommand(['sh', '-euc', text], { cwd: folder.path, env })
    expect([page, text, code, err]).toEqual([page, text, 0, expect.any(String)])
    expect(out).toMatch(/^bk_|"correlationId"|"sent"/)
  }
}, 60_000)
