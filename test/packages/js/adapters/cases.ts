import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { tempFolder } from '../../../support/temp-folder.ts'
import { until } from '../../../support/until.ts'
import { type Person, person } from './person.ts'
import { CALL, type Ran } from './run.ts'

// Every case starts processes, which load a framework.
setDefaultTimeout(90_000)

type Process = { killed(): Promise<void>; ended(): Promise<Ran> }

const BUN = [process.execPath, '--no-env-file']

/** Starts a program that runs an agent. */
export function started(
  command: string[],
  server: { url: string; token: string },
  more: Record<string, string> = {},
  program = BUN,
): Process {
  const child = Bun.spawn([...program, ...command], {
    env: {
      PATH: process.env.PATH ?? '',
      BECKON_URL: server.url,
      BECKON_TOKEN: server.token,
      ...more,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const output = Promise.all([child.stdout, child.stderr].map((one) => new Response(one).text()))
  return {
    async killed() {
      child.kill('SIGKILL')
      await child.exited
    },
    async ended() {
      const [out = '', err = ''] = await output
      if ((await child.exited) !== 0) throw new Error(err)
      return JSON.parse(out.trim().split('\n').at(-1) ?? '')
    },
  }
}

/**
 * What holds for the adapter of every framework, shown with a program that runs an agent with it:
 * `bun SCRIPT STATE_FILE`. `resumes`: its state can be stored, and another process goes on with it.
 * `no`, `refused`: what its model reads after a no, and when nobody could be asked.
 */
export function adapterCases(
  script: string,
  more: string[] = [],
  {
    resumes = true,
    no = 'declined this call',
    refused = 'Nobody approved this call (refused)',
    program = BUN,
  } = {},
) {
  const startRun = (command: string[], server: Person['server'], env = {}) =>
    started(command, server, env, program)
  const name = [script.split('/').at(-1), ...more].join(' ')
  const withPerson = async (use: (who: Person, command: string[]) => Promise<void>) => {
    await using who = await person()
    using folder = tempFolder()
    await use(who, [script, join(folder.path, 'state.json'), ...more])
  }

  test(`${name}: a yes runs the tool once, with the arguments that were shown`, () =>
    withPerson(async (who, command) => {
      const run = startRun(command, who.server)
      const [question] = await who.answer('yes')
      expect(question).toMatchObject({
        question: 'Delete a customer?',
        actionBody: JSON.stringify(CALL.args, null, 2),
      })
      const { ran, seen } = await run.ended()
      expect(ran).toEqual([CALL.args])
      expect(JSON.stringify(seen)).toContain('removed')
      expect(await who.audit('permit.used')).toHaveLength(1)
      const outcome = { outcome: 'succeeded' }
      expect(await who.audit('permit.outcome', 1)).toMatchObject([outcome])
    }))

  test(`${name}: that a tool failed is in the audit trail`, () =>
    withPerson(async (who, command) => {
      const run = startRun(command, who.server, { FAILS: '1' })
      await who.answer('yes')
      expect((await run.ended()).ran).toEqual([CALL.args])
      const outcome = expect.stringMatching(/^failed: .*No such customer\.$/)
      expect(await who.audit('permit.outcome', 1)).toMatchObject([{ outcome }])
    }))

  test(`${name}: a no runs nothing, and the model reads the note`, () =>
    withPerson(async (who, command) => {
      const run = startRun(command, who.server)
      await who.answer('no', 'Ask the owner first.')
      const { ran, seen } = await run.ended()
      expect(ran).toEqual([])
      expect(JSON.stringify(seen)).toContain(no)
      expect(JSON.stringify(seen)).toContain('Ask the owner first.')
    }))

  test(`${name}: a token that is not valid runs nothing`, () =>
    withPerson(async (who, command) => {
      const run = startRun(command, { ...who.server, token: 'bk_wrong' })
      const { ran, seen } = await run.ended()
      expect(ran).toEqual([])
      expect(JSON.stringify(seen)).toContain(refused)
    }))

  if (!resumes) return
  test(`${name}: after the process ended, another one goes on with the same question`, () =>
    withPerson(async (who, command) => {
      const first = startRun(command, who.server)
      await until(async () => (await who.open()).length === 1)
      await first.killed()
      await who.answer('yes')
      const { ran } = await startRun(command, who.server).ended()
      expect(ran).toEqual([CALL.args])
      expect(await who.open()).toEqual([])
      // Restored once more: one yes is one run.
      const again = await startRun(command, who.server).ended()
      expect(again.ran).toEqual([])
      expect(JSON.stringify(again.seen)).toContain('This permit was used')
      expect(await who.audit('permit.used')).toHaveLength(1)
    }))

  test(`${name}: a stored call whose arguments were changed has no yes`, () =>
    withPerson(async (who, command) => {
      const first = startRun(command, who.server)
      await until(async () => (await who.open()).length === 1)
      await first.killed()
      await who.answer('yes')
      const changed = startRun(command, who.server, { CHANGED: '1' })
      const [question] = await who.answer('no')
      expect(question?.actionBody).toContain('"id": 8')
      expect((await changed.ended()).ran).toEqual([])
      expect(await who.audit('permit.used')).toEqual([])
    }))
}
