import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS } from '../../src/cli/commands.ts'
import { VERSION } from '../../src/platform/program.ts'
import { beckon } from '../support/beckon.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('without arguments and with --help, every command is listed', async () => {
  const [bare, help] = await Promise.all([beckon([]), beckon(['--help'])])
  expect(bare).toEqual(help)
  expect(bare.code).toBe(0)
  for (const { name, summary } of COMMANDS) expect(bare.out).toMatch(RegExp(`${name} +${summary}`))
})

test('--version says the version of the package', async () => {
  expect(await beckon(['--version'])).toEqual({ code: 0, out: `beckon ${VERSION}\n`, err: '' })
})

test('every command has a summary, a usage and an example that begin as they should', () => {
  for (const { name, usage, example, summary } of COMMANDS) {
    expect(summary).not.toMatch(/[.!]$/)
    for (const line of usage) expect(line).toStartWith(name)
    expect(example).toContain(`beckon ${name}`)
  }
})

test('--help of one way of the catalog shows what belongs to it, and an example', async () => {
  const { usage = [], examples = {} } = COMMANDS.find(({ name }) => name === 'catalog') ?? {}
  const ways = new Set(usage.map((line) => line.split(' ')[1] ?? ''))
  expect(Object.keys(examples).sort()).toEqual([...ways].sort())
  for (const [way, example] of Object.entries(examples)) {
    expect(example).toStartWith(`beckon catalog ${way} `)
  }
  const { code, out } = await beckon(['catalog', 'import', '--help'])
  expect(code).toBe(0)
  expect(out).toContain('--since TIME')
  expect(out).toContain('--data FOLDER')
  expect(out).toContain('Example:\n  beckon catalog import ')
  for (const other of ['--rotate', '--explain', 'catalog lint', 'import: ']) {
    expect(out).not.toContain(other)
  }
  for (const way of ['export', 'verify']) {
    expect((await beckon(['catalog', way, '--help'])).out).not.toContain('catalog.yaml')
  }
  expect((await beckon(['catalog', '--help'])).out).toContain('catalog lint')
})

test('--help of a command shows its usage and its example, wherever it stands', async () => {
  const { code, out } = await beckon(['migrate', '--data', 'x', '--help'])
  expect(code).toBe(0)
  expect(out).toContain('Usage: beckon migrate')
  expect(out).toContain('Example:\n  beckon migrate')
})

const WRONG: Array<[args: string[], sentence: string]> = [
  [['dance'], '"dance" is not a command of beckon; beckon --help lists them.'],
  [['migrate', '--nope'], 'Unknown option "--nope". See: beckon migrate --help'],
  [['migrate', 'x'], '"x" is one argument too many. See: beckon migrate --help'],
  [
    ['migrate', '--data'],
    '--data needs a value; one that begins with a dash is written as --data=-VALUE. See: beckon migrate --help',
  ],
  [
    ['mcp', '--hold', '-1'],
    '--hold needs a value; one that begins with a dash is written as --hold=-VALUE. See: beckon mcp --help',
  ],
  [
    ['ask', '- or not?', '--no-wait'],
    '"- or not?" begins with a dash, as options do: put -- before it, after all options. See: beckon ask --help',
  ],
]

for (const [args, sentence] of WRONG) {
  test(`beckon ${args.join(' ')} is wrong usage, said in one line`, async () => {
    expect(await beckon(args)).toEqual({ code: 2, out: '', err: `${sentence}\n` })
  })
}

test('wrong configuration ends with code 2 and one sentence', async () => {
  using folder = tempFolder()
  const outcome = await beckon(['migrate', '--data', folder.path], { env: { BECKON_PORT: 'x' } })
  expect(outcome).toEqual({
    code: 2,
    out: '',
    err: 'BECKON_PORT must be a port number from 0 to 65535, not "x". See: beckon migrate --help\n',
  })
})

test('migrate makes a data folder of an empty one, and says when there is nothing to do', async () => {
  using folder = tempFolder()
  const data = join(folder.path, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'beckon.toml'), 'log = "json"\n')
  expect(await beckon(['migrate', '--data', data])).toMatchObject({
    code: 0,
    out: expect.stringContaining('applied 0035_start'),
  })
  expect(existsSync(join(data, 'beckon.db'))).toBe(true)
  expect(await beckon(['migrate', '--data', data])).toEqual({
    code: 0,
    out: `${join(data, 'beckon.db')} is up to date.\n`,
    err: '',
  })
})

test('migrate makes nothing in a folder that is not there, or holds something else', async () => {
  using folder = tempFolder()
  const other = join(folder.path, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'notes.txt'), 'mine')
  for (const data of [join(folder.path, 'mistyped'), other]) {
    const { code, out, err } = await beckon(['migrate', '--data', data])
    expect([code, out]).toEqual([1, ''])
    expect(err).toStartWith(`There is no Beckon data folder at ${data} (it has no beckon.db);`)
  }
  expect(readdirSync(folder.path)).toEqual(['other'])
  expect(readdirSync(other)).toEqual(['notes.txt'])
})

test('a data folder that cannot be used is said in one sentence', async () => {
  using folder = tempFolder()
  const file = join(folder.path, 'file')
  writeFileSync(file, 'not a folder')
  const outcome = await beckon(['migrate', '--data', file])
  expect(outcome.code).toBe(1)
  expect(outcome.err).toStartWith(
    `The data folder ${file} cannot be made, because a file is in its`,
  )
  expect(outcome.err.trim().split('\n')).toHaveLength(1)
})

test('a file that is not a database is said in one sentence', async () => {
  using folder = tempFolder()
  writeFileSync(join(folder.path, 'beckon.db'), 'not a database, and long enough to be looked at')
  const outcome = await beckon(['migrate', '--data', folder.path])
  expect(outcome.code).toBe(1)
  expect(outcome.err).toContain('is not a database or is damaged (SQLITE_NOTADB)')
})
