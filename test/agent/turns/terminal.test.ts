import { expect, test } from 'bun:test'
import { utimesSync, writeFileSync } from 'node:fs'
import { findProcess, type RunningProcess } from '../../../src/agent/processes.ts'
import { findClientProcess, idleOf, isRunning } from '../../../src/agent/terminal.ts'
import { until } from '../../support/until.ts'

const MINUTE = 60_000

/** A program that reads its own pseudo-terminal, and the keys of a person. */
async function atTerminal() {
  const keyboard = Bun.spawn(
    [
      'python3',
      '-uc',
      `
import os, pty, sys
pid, screen = pty.fork()
if pid == 0: os.execvp('cat', ['cat'])
print(pid)
for line in sys.stdin: os.write(screen, line.encode())
os.kill(pid, 9)
`,
    ],
    { stdin: 'pipe', stdout: 'pipe' },
  )
  const { value } = await keyboard.stdout.getReader().read()
  const pid = Number(new TextDecoder().decode(value))
  await until(() => findProcess(pid)?.words[0] === 'cat')
  const client = findClientProcess(pid)
  if (!client?.terminal) throw new Error('no terminal was found')
  return {
    client,
    terminal: client.terminal,
    async type(text: string) {
      keyboard.stdin.write(text)
      await keyboard.stdin.flush()
    },
    async [Symbol.asyncDispose]() {
      keyboard.stdin.end()
      await keyboard.exited
    },
  }
}

test('a key is seen at the terminal of a client, and what the client prints is not', async () => {
  await using world = await atTerminal()
  const { terminal, client, type } = world
  expect(isRunning(client)).toBe(true)
  const past = new Date(Date.now() - 10 * MINUTE)
  utimesSync(terminal, past, past)
  writeFileSync(terminal, 'an answer of the model\n')
  expect(idleOf(terminal, Date.now())).toEqual({ is: 'known', ms: expect.any(Number) })
  const idleMs = () => {
    const idle = idleOf(terminal, Date.now())
    return idle.is === 'known' ? idle.ms : Number.NaN
  }
  expect(idleMs()).toBeGreaterThan(9 * MINUTE)
  await type('yes\n')
  await until(() => idleMs() < MINUTE)
})

test('a client that has ended is not running, even if another process has its id', async () => {
  const child = Bun.spawn(['sleep', '30'])
  const running = findProcess(child.pid)
  if (!running) throw new Error('not listed')
  const client = { pid: child.pid, startedAt: running.startedAt }
  expect(isRunning(client)).toBe(true)
  expect(isRunning(client, () => ({ ...running, startedAt: '1' }))).toBe(false)
  child.kill()
  await child.exited
  expect(isRunning(client)).toBe(false)
})

const PTS = '/dev/pts/3'

/** A process for each line, the parent of the one before it. */
function listed(lines: Array<[words: string, terminal?: string]>) {
  const all = lines.map(([words, terminal], at): RunningProcess => {
    const pid = 100 + at
    return { pid, parent: pid + 1, words: words.split(' '), startedAt: `${at}`, terminal }
  })
  return (pid: number) => all.find((one) => one.pid === pid)
}

const CHAINS: Array<
  [what: string, Parameters<typeof listed>[0], pid: number | undefined, terminal?: string]
> = [
  ['starts the hook itself', [['codex'], ['bash', PTS]], 100, PTS],
  [
    'starts it in two shells',
    [['sh -c hook'], ['/bin/bash -c hook'], ['node gemini', PTS]],
    102,
    PTS,
  ],
  ['has no terminal, and its parents neither', [['claude -p x'], ['systemd']], 100],
  ['has none, and was started at one', [['claude'], ['-zsh', PTS]], 100, PTS],
  ['is not listed', [], undefined],
]
for (const [what, lines, pid, terminal] of CHAINS) {
  test(`a client that ${what}`, () => {
    const client = findClientProcess(100, listed(lines))
    expect(client?.pid).toBe(pid)
    expect(client?.terminal).toBe(terminal)
  })
}

test('without a terminal it is not known whether somebody is there, and why', () => {
  const now = Date.now()
  expect(idleOf(undefined, now)).toEqual({ is: 'unknown', why: 'the client has no terminal' })
  expect(idleOf('/dev/pts/none', now).is).toBe('unknown')
})
