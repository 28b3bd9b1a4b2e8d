import { expect, setDefaultTimeout, test } from 'bun:test'
import { appendFileSync, cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../support/run-command.ts'
import { tempFolder } from '../support/temp-folder.ts'

setDefaultTimeout(60_000)

const ROOT = join(import.meta.dir, '../..')
const SERVE = ['serve', '--data', 'data', '--port', '0']
const PREVIEW = ['serve', '--watch', 'examples/catalog', '--port', '0']

test.each([
  ['a page throws', SERVE, 'src/ask/home/pages/pages.ts', "throw new Error('no page')", 'no page'],
  ['the app cannot be parsed', SERVE, 'src/app.ts', '}', 'Unexpected }'],
  ['the preview cannot be parsed', PREVIEW, 'src/catalog/preview.ts', '}', 'Unexpected }'],
])('a start from sources of which %s says so and ends', async (_what, args, file, text, says) => {
  using folder = tempFolder()
  for (const part of ['drizzle', 'examples', 'packages', 'src', 'package.json']) {
    cpSync(join(ROOT, part), join(folder.path, part), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'))
  appendFileSync(join(folder.path, file), `\n${text}\n`)
  const command = [process.execPath, '--no-env-file', 'src/main.ts', ...args]
  // A process that stays up is ended, and then has another code.
  const ended = await runCommand(command, { cwd: folder.path, timeout: 40_000 })
  expect(ended).toMatchObject({ code: 1, err: expect.stringContaining(says) })
})
