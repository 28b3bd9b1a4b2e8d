import { expect, setDefaultTimeout, test } from 'bun:test'
import { COMMANDS } from '../../src/cli/commands.ts'
import { VERSION } from '../../src/platform/program.ts'
import { beckon } from '../support/beckon.ts'
import { onTerminal } from '../support/on-terminal.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

/** The lines of a help without the example, which is there to be copied whole. */
function linesOf(text: string): string[] {
  const [help = ''] = text.replaceAll('\r', '').split('\nExample:')
  return help.split('\n')
}
const longest = (text: string) => Math.max(...linesOf(text).map((line) => line.length))

test('no line of a help is longer than 80 columns without a terminal', async () => {
  const calls = [[], ...COMMANDS.map(({ name }) => [name])]
  for (const args of calls) {
    const { out, code } = await beckon([...args, '--help'])
    expect([args, code, longest(out) <= 80]).toEqual([args, 0, true])
  }
})

test('on a terminal the help is as wide as the terminal', async () => {
  const at = async (cols: number) =>
    longest((await onTerminal(['setup', '--help'], {}, { cols })).output)
  expect(await at(60)).toBeLessThanOrEqual(60)
  const wide = await at(140)
  expect(wide).toBeGreaterThan(100)
  expect(wide).toBeLessThanOrEqual(140)
})

test('nothing of a help is lost where it is wrapped', async () => {
  const flat = (text: string) => text.replace(/\s+/g, ' ')
  const [narrow, wide] = await Promise.all(
    [44, 300].map((cols) => onTerminal(['catalog', '--help'], {}, { cols })),
  )
  const words = (text: string) => flat(text).split(' ').sort()
  expect(words(narrow?.output ?? '')).toEqual(words(wide?.output ?? '-'))
})

test('help NAME is the help of that command, and of its subcommand', async () => {
  const pairs: Array<[string[], string[]]> = [
    [['help'], ['--help']],
    [
      ['help', 'ask'],
      ['ask', '--help'],
    ],
    [
      ['help', 'catalog', 'import'],
      ['catalog', 'import', '--help'],
    ],
  ]
  for (const [one, other] of pairs) {
    const [helped, flagged] = await Promise.all([beckon(one), beckon(other)])
    expect(helped).toEqual(flagged)
    expect(helped.code).toBe(0)
  }
})

test('version is --version', async () => {
  expect(await beckon(['version'])).toEqual({ code: 0, out: `beckon ${VERSION}\n`, err: '' })
  expect((await beckon(['version', 'x'])).code).toBe(2)
})

const MEANT: Array<[args: string[], meant: string]> = [
  [['aks', 'Go?'], 'did you mean "ask"?'],
  [['sevre'], 'did you mean "serve"?'],
  [['help', 'doctr'], 'did you mean "doctor"?'],
  [['key', 'crate'], 'did you mean "create"?'],
  [['catalog', 'pubish'], 'did you mean "publish"?'],
  [['ask', 'Go?', '--tiemout', '5s'], 'did you mean "--timeout"?'],
  [['setup', 'cladue'], 'did you mean "claude"?'],
  [['completion', 'bsh'], 'did you mean "bash"?'],
]

test.each(MEANT)('%p is wrong usage that names what was meant', async (args, suggestion) => {
  const { code, out, err } = await beckon(args)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(suggestion)
  expect(err.trim().split('\n')).toHaveLength(1)
})

test('what resembles nothing is not guessed at', async () => {
  for (const args of [['dance'], ['key', 'xyzzy'], ['migrate', '--xyzzy']]) {
    const { code, err } = await beckon(args)
    expect([code, err]).toEqual([2, expect.not.stringContaining('mean')])
  }
})
