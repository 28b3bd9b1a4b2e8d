import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../../src/platform/program.ts'
import { releaseKey } from '../support/release-key.ts'
import { releasedProgram, releaseServer } from '../support/release-server.ts'
import { SEED } from '../support/seed.ts'
import { tempFolder } from '../support/temp-folder.ts'

const NEXT = '99.0.0'
const ROUNDS = 40
const key = releaseKey()
const server = await releaseServer(key.secret)
const built = tempFolder()
afterAll(async () => {
  built[Symbol.dispose]()
  await server[Symbol.asyncDispose]()
})

function run(command: string[]): string {
  return Bun.spawnSync(command, { stdin: 'ignore' }).stdout.toString()
}

test('a program that is killed while it updates itself is whole, old or new, and so are its data', async () => {
  const now = join(built.path, 'now')
  const next = join(built.path, 'next')
  const about = { publicKey: key.publicKey, url: server.url }
  await releasedProgram(now, about)
  await releasedProgram(next, { ...about, version: NEXT })
  await server.offer({ version: NEXT, program: await Bun.file(next).bytes() })

  let longest = 0
  const versions = new Map<string, number>()
  for (let round = 0; round <= ROUNDS; round++) {
    using folder = tempFolder()
    const data = join(folder.path, 'data')
    mkdirSync(join(folder.path, 'bin'))
    const program = join(folder.path, 'bin/beckon')
    copyFileSync(now, program)
    run([program, 'key', 'create', '--name', 'kept', '--data', data])
    const began = performance.now()
    const update = Bun.spawn([program, 'update', '--yes', '--data', data], { stdin: 'ignore' })
    // The first one may finish; the others are killed at moments spread over as long as it took.
    if (round > 0) setTimeout(() => update.kill('SIGKILL'), moment(round, longest))
    await update.exited
    if (round === 0) longest = performance.now() - began

    const version = run([program, '--version']).trim()
    expect([`beckon ${VERSION}`, `beckon ${NEXT}`]).toContain(version)
    versions.set(version, (versions.get(version) ?? 0) + 1)
    expect(run([program, 'key', 'list', '--data', data])).toContain('kept')
    for (const name of readdirSync(data).filter((one) => one.includes('before-'))) {
      if (name.endsWith('.part')) continue
      const restored = run([program, 'restore', join(data, name), '--data', `${data}2`])
      expect(restored).toContain('is the database of')
    }
    if (version === `beckon ${NEXT}`)
      expect(run([`${program}.previous`, '--version'])).toContain(VERSION)
  }
  expect(versions.size).toBe(2)
})

/** Milliseconds, the same for the same seed. */
function moment(round: number, longest: number): number {
  return ((Number(Bun.hash.wyhash(`${SEED} ${round}`) % 1_000n) + 1) / 1_000) * longest
}
