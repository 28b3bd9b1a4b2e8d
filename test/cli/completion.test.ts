import { expect, setDefaultTimeout, test } from 'bun:test'
import { CLIENTS } from '../../src/agent/clients/clients.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { beckon } from '../support/beckon.ts'
import { runCommand } from '../support/run-command.ts'
import { tempFolder } from '../support/temp-folder.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

const NAMES = COMMANDS.map(({ name }) => name)
const CLIENT_NAMES = CLIENTS.map(({ name }) => name)

/** What is typed, with the word under the cursor last, and what must, or must not, be offered. */
const TYPED: Array<[words: string[], offered: readonly string[], not: readonly string[]]> = [
  [[''], NAMES, []],
  [['no'], ['notify'], ['ask']],
  [['key', ''], ['create', 'list', 'revoke'], ['claude']],
  [['key', 'create', '--'], ['--name', '--workspace', '--test', '--json', '--data', '--help'], []],
  [
    ['catalog', 'lint', '--'],
    ['--urls', '--json'],
    ['--explain', '--key'],
  ],
  [['ask', 'Go?', '--ti'], ['--timeout'], ['--type']],
  [['ask', '--type', ''], ['confirm', 'select', 'input'], ['--json']],
  [['user', 'add', '--role', 'o'], ['owner'], ['member']],
  [['setup', ''], CLIENT_NAMES, ['create']],
  [['setup', 'claude', 'co'], ['codex', 'copilot'], ['claude']],
  [['setup', '--no-'], ['--no-strict'], ['--strict']],
  [['help', 'ca'], ['cancel', 'catalog'], ['ask']],
  [['completion', ''], ['bash', 'zsh', 'fish'], []],
]

async function scriptOf(shell: string): Promise<string> {
  const { code, out } = await beckon(['completion', shell])
  expect(code).toBe(0)
  return out
}

async function output(command: string[], cwd: string): Promise<string[]> {
  const { code, out, err } = await runCommand(command, { cwd })
  expect([code, err]).toEqual([0, ''])
  return out.split('\n').flatMap((line) => line.split('\t')[0]?.trim() || [])
}

test('bash completes commands, subcommands, options and values', async () => {
  using folder = tempFolder()
  const script = `${await scriptOf('bash')}
COMP_WORDS=(beckon "$@"); COMP_CWORD=$#
_beckon
printf '%s\\n' "\${COMPREPLY[@]}"`
  for (const [words, offered, not] of TYPED) {
    const run = ['bash', '--norc', '-uc', script, 'bash', ...words]
    const offers = await output(run, folder.path)
    expect([words, offers]).toEqual([words, expect.arrayContaining([...offered])])
    expect(offers.filter((one) => not.includes(one))).toEqual([])
  }
})

test('bash falls back to files where nothing is known', async () => {
  using folder = tempFolder()
  const script = `${await scriptOf('bash')}\ncomplete -p beckon`
  const registered = await output(['bash', '--norc', '-c', script], folder.path)
  expect(registered).toEqual(['complete -o bashdefault -o default -F _beckon beckon'])
  const words = `${await scriptOf('bash')}
COMP_WORDS=(beckon backup ''); COMP_CWORD=2; _beckon; echo "\${#COMPREPLY[@]}"`
  expect(await output(['bash', '--norc', '-c', words], folder.path)).toEqual(['0'])
})

test.skipIf(!Bun.which('fish'))('fish completes the same', async () => {
  using folder = tempFolder()
  const file = `${folder.path}/beckon.fish`
  await Bun.write(file, await scriptOf('fish'))
  for (const [words, offered, not] of TYPED) {
    const line = `beckon ${words.join(' ')}`
    const run = ['fish', '--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', file, line]
    const offers = await output(run, folder.path)
    expect([words, offers]).toEqual([words, expect.arrayContaining([...offered])])
    expect(offers.filter((one) => not.includes(one))).toEqual([])
  }
})

test.skipIf(!Bun.which('zsh'))('zsh completes the same', async () => {
  using folder = tempFolder()
  // What the completion system would do with the words, each on a line.
  const stubs = `compdef() { :; }; _files() { :; }
compadd() { shift; print -rl -- "$@"; }
_describe() { print -rl -- "\${(@)\${(@P)2}%%:*}"; }`
  const script = `${stubs}\n${await scriptOf('zsh')}\nwords=(beckon "$@"); CURRENT=$#words; _beckon`
  for (const [typed, offered] of TYPED) {
    const offers = await output(['zsh', '-fc', script, 'zsh', ...typed], folder.path)
    expect([typed, offers]).toEqual([typed, expect.arrayContaining([...offered])])
  }
})

test('a shell that is not known is wrong usage', async () => {
  expect(await beckon(['completion'])).toMatchObject({ code: 2, out: '' })
  expect(await beckon(['completion', 'toString'])).toMatchObject({ code: 2, out: '' })
  expect((await beckon(['completions', 'bash'])).out).toContain('_beckon')
})
