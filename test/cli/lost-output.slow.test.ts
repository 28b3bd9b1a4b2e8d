import { expect, setDefaultTimeout, test } from 'bun:test'
import { agentHouse } from '../support/agent-house.ts'
import { PROGRAM } from '../support/program.ts'
import { runCommand } from '../support/run-command.ts'
import { tempFolder } from '../support/temp-folder.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

const LOST = 'Standard output cannot be written (ENOSPC), so what belongs there is lost.\n'

/** Runs the program with the device as standard output that is always full. */
const ontoFullDisk = (args: string[], env: Record<string, string> = {}) =>
  runCommand(['sh', '-c', '"$@" > /dev/full', 'sh', ...PROGRAM, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
  })

test('what is shown once is not lost in silence', async () => {
  using folder = tempFolder()
  const data = ['--data', folder.path]
  for (const args of [
    ['version'],
    ['key', 'create', '--name', 'laptop', ...data],
    ['key', 'list', '--json', ...data],
    ['user', 'add', '--email', 'ada@example.com', ...data],
    ['audit', 'export', ...data],
  ]) {
    const { code, err } = await ontoFullDisk(args)
    expect([args[0], code]).toEqual([args[0], 1])
    expect(err).toEndWith(LOST)
    expect(err).not.toContain('bug')
  }
})

test('a lost answer is neither a yes nor a no', async () => {
  await using house = await agentHouse()
  await using _server = await house.start()
  const env = { BECKON_URL: house.url, BECKON_TOKEN: house.token }
  const asking = ontoFullDisk(['ask', 'Go?'], env)
  const { correlationId } = await house.opened()
  expect(await house.answer(correlationId, { value: 'yes' })).toBe(200)
  const { code, err } = await asking
  expect(code).toBe(5)
  expect(err).toEndWith(LOST)
})

test('a reader that leaves early is no error', async () => {
  const { code, err } = await runCommand(
    ['sh', '-c', '{ "$@"; echo $? >&2; } | true', 'sh', ...PROGRAM, 'help'],
    { env: { PATH: process.env.PATH ?? '' } },
  )
  expect([code, err]).toEqual([0, '0\n'])
})

test('a server starts although its first lines are lost', async () => {
  using folder = tempFolder()
  const args = [...PROGRAM, 'serve', '--port', '0', '--data', folder.path]
  const child = Bun.spawn(['sh', '-c', 'exec "$@" > /dev/full', 'sh', ...args], { stderr: 'pipe' })
  const reader = child.stderr.getReader()
  let output = ''
  while (!output.includes('lost')) {
    const { value, done } = await reader.read()
    if (done) break
    output += new TextDecoder().decode(value)
  }
  expect(output).toContain('Standard output cannot be written (ENOSPC)')
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})
