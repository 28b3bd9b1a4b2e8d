import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS } from '../../src/cli/commands.ts'
import { beckon } from '../support/beckon.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Every way to call a command that prints JSON, as the words before its options. */
const WAYS = [
  ...new Set(
    COMMANDS.flatMap(({ name, usage }) =>
      usage
        .filter((line) => line.includes('--json') || name === 'catalog')
        .map((line) => /^[a-z]+(?: [a-z]+(?=[ ]|$))?/.exec(line)?.[0] ?? name),
    ),
  ),
]

type ErrorDocument = { error: { code: string; message: string }; exitCode: number }

async function failed(words: readonly string[], env: Record<string, string> = {}) {
  const { code, out, err } = await beckon([...words, '--json'], { env })
  const document = JSON.parse(out) as ErrorDocument
  return { code, document, err }
}

test('the ways with --json are read from the table of commands', () => {
  for (const way of ['ask', 'key list', 'service status', 'catalog export', 'setup', 'doctor']) {
    expect(WAYS).toContain(way)
  }
})

for (const way of WAYS) {
  test(`beckon ${way} --json says a wrong call as JSON, with its exit code`, async () => {
    const { code, document, err } = await failed([...way.split(' '), '--no-such-option'])
    const { message } = document.error
    expect(document).toEqual({ error: { code: 'wrong_usage', message }, exitCode: code })
    expect([code, err]).toEqual([2, `${message}\n`])
  })
}

/** What each command is called with where nothing is: no server, no data, no file. */
const NOTHING: Record<string, readonly string[]> = {
  notify: ['Title', 'Body'],
  ask: ['Go?'],
  wait: ['q_1'],
  cancel: ['q_1'],
  setup: ['claude', '--yes'],
  'receipts verify': ['missing.json'],
  migrate: ['--from', 'postgres://127.0.0.1:1/beckon'],
  update: ['--check'],
  'key create': ['--name', 'x', '--workspace', 'none'],
  'catalog new': ['UPPER CASE'],
  'catalog init': ['.'],
  'catalog import': ['missing.yaml'],
  'catalog lint': ['missing'],
  'catalog grade': ['missing'],
  'catalog sign': ['--rotate'],
  'catalog verify': ['missing'],
  'catalog publish': ['missing'],
  'catalog export': ['site'],
}

// They report what they look for, whatever they find.
const REPORTS = new Set(['doctor', 'health', 'service status'])

for (const way of WAYS.filter((one) => !REPORTS.has(one))) {
  test(`beckon ${way} --json prints JSON where nothing is`, async () => {
    using folder = tempFolder()
    writeFileSync(join(folder.path, 'not-a-folder'), '')
    const env = {
      HOME: folder.path,
      BECKON_DATA: join(folder.path, 'not-a-folder'),
      BECKON_URL: 'http://127.0.0.1:1',
      BECKON_TOKEN: 'bk_x',
    }
    const words = [...way.split(' '), ...(NOTHING[way] ?? []), '--json']
    const { code, out } = await beckon(words, { env, cwd: folder.path })
    expect(code).toBeGreaterThan(0)
    expect(JSON.parse(out)).toBeObject()
  })
}

test('an unknown command and a server that refuses the call are told apart by their code', async () => {
  expect((await failed(['dance'])).document.error.code).toBe('wrong_usage')
  const env = { BECKON_URL: 'http://127.0.0.1:1', BECKON_TOKEN: 'bk_x' }
  const { code, document } = await failed(['ask', 'Go?'], env)
  expect([code, document.exitCode, document.error.code]).toEqual([5, 5, 'unavailable'])
})

test('without --json, and after --, standard output stays empty', async () => {
  const env = { BECKON_URL: 'http://127.0.0.1:1', BECKON_TOKEN: 'bk_x' }
  for (const words of [
    ['ask', 'Go?'],
    ['ask', '--', '--json'],
  ]) {
    const { code, out } = await beckon(words, { env })
    expect([code, out]).toEqual([5, ''])
  }
})
