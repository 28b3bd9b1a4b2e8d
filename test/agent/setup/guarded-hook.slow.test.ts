import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setupPlace } from '../../../src/agent/client-files/client-setup.ts'
import { guardedHookLine, guardedHookWords } from '../../../src/agent/client-files/guarded-hook.ts'
import { hookWorld } from '../../support/hook-world.ts'
import { runCommand } from '../../support/run-command.ts'
import { until } from '../../support/until.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')
const SHELLS = ['dash', 'bash', 'busybox'].flatMap((name) => Bun.which(name) ?? [])

describe.skipIf(process.platform === 'win32')('a hook that a shell starts', () => {
  const world = hookWorld()
  afterAll(() => world[Symbol.dispose]())
  const place = setupPlace(world.env, undefined)
  const own = { command: process.execPath, args: [MAIN] }
  const start = (words: string[], input = '{}') =>
    runCommand(words, {
      cwd: world.project,
      env: { PATH: process.env.PATH, ...world.env },
      stdin: input,
    })
  const wordsFor = (command: string, args: string[] = []) =>
    guardedHookWords({ program: { command, args }, strict: false, place }, 'claude')
  const file = (name: string, text: string) => {
    const path = join(world.home, name)
    writeFileSync(path, text)
    chmodSync(path, 0o755)
    return path
  }
  const write = JSON.stringify(
    world.before('Write', { file_path: join(world.project, '.env'), content: '' }),
  )
  /** Programs that do not answer, each as a hook. */
  const broken = {
    'that is missing': () => wordsFor('/no/such/program'),
    'that crashes': () => wordsFor(file('crashes', '#!/bin/sh\nexit 1\n')),
    'that is killed': () => wordsFor(file('killed', '#!/bin/sh\nkill -KILL $$\n')),
    'that cannot be executed': () => wordsFor(file('garbage', '\x7fELF')),
  }

  for (const [what, words] of Object.entries(broken))
    test(`without a scope a call passes a hook ${what}`, async () => {
      expect(await start(words())).toMatchObject({ code: 0, out: '' })
    })

  test('a call is blocked while a scope holds', async () => {
    await world.ratify('claude', { allowedPaths: ['src'], offLimitsPaths: ['.env'] })
    for (const [what, words] of Object.entries(broken)) {
      const { code, err } = await start(words())
      expect([what, code, err.includes('a scope holds')]).toEqual([what, 2, true])
    }
    for (const shell of SHELLS) {
      const [, ...rest] = broken['that crashes']()
      const command = shell.endsWith('busybox') ? [shell, 'sh'] : [shell]
      expect((await start([...command, ...rest])).code).toBe(2)
    }
  })

  test('a call is blocked while a scope holds where no process can be started', async () => {
    const words = wordsFor(process.execPath, [MAIN])
    const limited = [...asUser(), 'sh', '-c', 'ulimit -u 1; exec "$@"', 'sh', ...words]
    const { code } = await start(limited, write)
    expect(code).not.toBe(0)
  })

  test('the hook reads the call, and its answer is what counts', async () => {
    const words = guardedHookWords({ program: own, strict: false, place }, 'claude')
    const outside = await start(words, write)
    expect(outside.out).toContain('"deny"')
    const line = guardedHookLine({ program: own, strict: false, place }, 'claude')
    expect((await start(['sh', '-c', line], write)).out).toContain('"deny"')
    const read = JSON.stringify(world.before('Read', { file_path: 'lib/a.ts' }))
    expect(await start(words, read)).toMatchObject({ code: 0, out: '' })
  })

  test('a signal reaches the hook', async () => {
    const mark = join(world.home, 'ended')
    const waits = `#!/bin/sh\ntrap 'echo > ${mark}; exit 0' TERM\necho > ${mark}.begun\nwhile :; do sleep 0.05; done\n`
    const child = Bun.spawn(wordsFor(file('waits', waits)), { env: world.env, stdin: 'ignore' })
    await until(() => existsSync(`${mark}.begun`))
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(existsSync(mark)).toBe(true)
  })

  test('a scope that is over blocks nothing', async () => {
    const folder = join(world.state, 'scope')
    const markers = readdirSync(folder).filter((name) => name.endsWith('.active'))
    expect(markers.length).toBe(1)
    for (const name of markers) {
      expect(readFileSync(join(folder, name), 'utf8')).toMatch(/^\d*$/)
      writeFileSync(join(folder, name), '1000')
    }
    expect((await start(broken['that crashes']())).code).toBe(0)
    for (const name of markers) writeFileSync(join(folder, name), '')
    expect((await start(broken['that crashes']())).code).toBe(2)
  })
})

/** A superuser has no limit. */
function asUser(): string[] {
  return process.getuid?.() === 0 ? ['setpriv', '--reuid', '65534', '--clear-groups'] : []
}
