import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../support/run-command.ts'

// Every file of the server is parsed.
setDefaultTimeout(120_000)

const ROOT = join(import.meta.dir, '../..')

/** The files of `src` that run in a call. */
async function traced(): Promise<string[]> {
  const [plugin, script] = ['trace-plugin.ts', 'trace-ask.ts'].map((name) =>
    join(import.meta.dir, name),
  )
  const command = [process.execPath, '--no-env-file', '--preload', plugin ?? '', script ?? '']
  const { code, out, err } = await runCommand(command, { cwd: ROOT })
  if (code !== 0) throw new Error(err)
  return JSON.parse(out)
}

test('the walk of ask_user names every file that runs', async () => {
  const page = readFileSync(join(ROOT, 'docs/contributing/walks.md'), 'utf8')
  const [, walk = ''] = page.split(/^## /m)
  const names = new Set([...walk.matchAll(/`(src\/[^`]+)`/g)].map((match) => match[1]))
  const files = await traced()
  expect(files).toContain('src/ask/questions/model/lifecycle.ts')
  expect(files.length).toBeGreaterThan(60)
  expect(files.filter((file) => !names.has(file))).toEqual([])
})
