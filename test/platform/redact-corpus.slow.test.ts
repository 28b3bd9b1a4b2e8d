import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { redactCommand } from '../../src/ask/wire/reading/redact.ts'
import { redactSecrets } from '../../src/platform/redact/redact.ts'

const ROOT = join(import.meta.dir, '../..')
const FOLDERS = ['src', 'docs', 'packages', 'examples', 'drizzle']
const FILES = new Glob('**/*.{ts,tsx,md,json,js,cjs,css,sh,sql,toml,yml}')
// The table of options that are followed by a secret looks like commands that have one.
const TABLE = 'src/ask/wire/reading/rows/secrets.ts'
const LINE_MAX = 2_000

/** Each distinct line, with the first file that has it: generated files repeat theirs thousands of times. */
async function repositoryLines(): Promise<Map<string, string>> {
  const lines = new Map<string, string>()
  for (const folder of FOLDERS) {
    const files = await Array.fromAsync(FILES.scan(join(ROOT, folder)))
    for (const file of files.sort()) {
      const path = `${folder}/${file}`
      if (path === TABLE) continue
      for (const line of (await Bun.file(join(ROOT, path)).text()).split('\n')) {
        const text = line.trim()
        if (line.length <= LINE_MAX && !lines.has(text)) lines.set(text, path)
      }
    }
  }
  return lines
}

function changedLines(lines: Map<string, string>, redact: (line: string) => string): string[] {
  return [...lines]
    .filter(([line]) => redact(line) !== line)
    .map(([line, path]) => `${path}: ${line}`)
}

/** The lines of the repository that look like they hold a secret, of which none does. */
const LISTED = (await Bun.file(join(ROOT, 'test/fixtures/redacted-lines.txt')).text())
  .split('\n')
  .filter((line) => line !== '')

test('no line of the repository is redacted that is not listed', async () => {
  const lines = await repositoryLines()
  const text = changedLines(lines, (line) => redactSecrets(line))
  const commands = changedLines(lines, (line) => redactCommand(line, { isShell: true }))
  expect(text.filter((line) => !LISTED.includes(line))).toEqual([])
  expect(commands.filter((line) => !LISTED.includes(line))).toEqual([])
  expect(LISTED.filter((line) => !commands.includes(line) && !text.includes(line))).toEqual([])
})
