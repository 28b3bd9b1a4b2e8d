import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runFile } from '../../../src/cli/service/windows-task.ts'
import { beckon } from '../../support/beckon.ts'
import { freePort } from '../../support/free-port.ts'
import { PROGRAM } from '../../support/program.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// Whole servers on a busy machine.
setDefaultTimeout(60_000)

test('run serves into a file, starts a failed server again, and stops with it', async () => {
  using folder = tempFolder()
  const log = join(folder.path, 'logs', 'beckon.log')
  const url = `http://127.0.0.1:${freePort()}/readyz`
  const serve = ['--data', join(folder.path, 'data'), '--port', new URL(url).port]
  const child = Bun.spawn([...PROGRAM, 'service', 'run', '--log', log, '--', ...serve], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  try {
    const first = await servingPid(log, url)
    process.kill(first, 'SIGKILL')
    const second = await servingPid(log, url, first)
    expect(second).not.toBe(first)
    // A server is ready before it says so: its line may come a moment later.
    while ((readFileSync(log, 'utf8').match(/ listens on /g) ?? []).length < 2) await Bun.sleep(20)
  } finally {
    child.kill('SIGTERM')
  }
  expect(await child.exited).toBe(0)
  expect(existsSync(runFile(log))).toBe(false)
  expect(fetch(url)).rejects.toThrow()
})

/** The process that serves and is ready, once it is another than `not`. */
async function servingPid(log: string, url: string, not?: number): Promise<number> {
  for (;;) {
    const pid = existsSync(runFile(log))
      ? Number(JSON.parse(readFileSync(runFile(log), 'utf8')).pid)
      : not
    const ready = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready && pid !== undefined && pid !== not) return pid
    await Bun.sleep(50)
  }
}

test('what serve does not take is not tried again', async () => {
  using folder = tempFolder()
  const log = join(folder.path, 'beckon.log')
  const { code } = await beckon(['service', 'run', '--log', log, '--', '--port', 'many'])
  const output = readFileSync(log, 'utf8')
  // A failure would make launchd start it again.
  expect([code, output]).toEqual([0, expect.stringContaining('--port must be')])
  expect(output).toContain('not started again: Settings that are wrong stay wrong.')
  expect((await beckon(['service', 'run'])).code).toBe(2)
})
