import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { policyFileChecks } from '../../../src/ask/health/policy-file-check.ts'
import { listRules, readOrigin, readPolicy } from '../../../src/ask/policy/model/store.ts'
import { applyFile, releaseFile } from '../../../src/ask/policy-file/apply-file.ts'
import { exportFile } from '../../../src/ask/policy-file/export-file.ts'
import { createLook, leaveFile } from '../../../src/ask/protect/watch-file.ts'
import { questions } from '../../../src/ask/questions/model/table.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { silentLog as log } from '../../../src/platform/log.ts'
import { type ProtectWorld, protectWorld, theRule } from '../../support/protect-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

let world: ProtectWorld
let temp: ReturnType<typeof tempFolder>
let path: string
beforeEach(async () => {
  world = await protectWorld(0)
  temp = tempFolder()
  path = join(temp.path, 'policy.yaml')
})
afterEach(async () => {
  await world[Symbol.asyncDispose]()
  temp[Symbol.dispose]()
})

const deps = () => ({ db: world.db, clock, log })
const waiting = (seconds: number) => `beckon: policy/1\npolicy: { waitMs: ${seconds}s }\n`
const waitMs = async () => (await readPolicy(world.db.read, world.workspaceId)).waitMs
const problem = async () => {
  const [check] = await policyFileChecks(world.db.read, path)
  return check?.state === 'ok' ? undefined : check?.said
}
const applied = async () =>
  (await world.db.read.select().from(audit)).filter(({ kind }) => kind === 'policy.applied').length
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.code,
  )

test('the file is in force from the first look, and each way of replacing it is seen', async () => {
  writeFileSync(path, waiting(50))
  const look = createLook(deps(), path)
  await look()
  expect([await waitMs(), await problem()]).toEqual([50_000, undefined])
  await look()
  expect(await applied()).toBe(1)
  // Written in place, renamed over, and behind links, as Kubernetes does it.
  writeFileSync(path, waiting(49))
  await look()
  expect(await waitMs()).toBe(49_000)
  writeFileSync(`${path}.new`, waiting(48))
  renameSync(`${path}.new`, path)
  await look()
  expect(await waitMs()).toBe(48_000)
  for (const seconds of [47, 46]) {
    const folder = join(temp.path, `..${seconds}`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'policy.yaml'), waiting(seconds))
    symlinkSync(folder, join(temp.path, '..new'))
    renameSync(join(temp.path, '..new'), join(temp.path, '..data'))
    rmSync(path)
    symlinkSync('..data/policy.yaml', path)
    await look()
    expect(await waitMs()).toBe(seconds * 1_000)
  }
})

test('what cannot be applied leaves the last one in force, and Health says why', async () => {
  writeFileSync(path, waiting(50))
  const look = createLook(deps(), path)
  await look()
  const bad = async (make: () => void, words: string) => {
    rmSync(path, { recursive: true, force: true })
    make()
    await look()
    expect([words, (await problem())?.includes(words)]).toEqual([words, true])
    expect(await waitMs()).toBe(50_000)
  }
  await bad(() => {}, 'is not there')
  await bad(() => writeFileSync(path, 'beckon: policy/1\npolicy: { waitMs: soon }\n'), 'waitMs')
  await bad(() => writeFileSync(path, 'rules: ['), 'cannot be applied')
  await bad(() => writeFileSync(path, 'x'.repeat(1_000_001)), 'more than a megabyte')
  await bad(() => mkdirSync(path), 'is a folder')
  await bad(() => symlinkSync(path, path), 'a link that leads in a circle')
  await bad(() => Bun.spawnSync(['mkfifo', path]), 'a pipe')
  rmSync(path)
  writeFileSync(path, waiting(50))
  await look()
  expect(await problem()).toBeUndefined()
  expect(await applied()).toBe(1)
})

test('pages, REST and commands change nothing meanwhile; without the setting they do again', async () => {
  writeFileSync(path, waiting(50))
  await createLook(deps(), path)()
  const { db, workspaceId } = world
  const text = await exportFile(deps(), workspaceId, { baseUrl: world.url })
  expect(await codeOf(applyFile(deps(), workspaceId, { text, name: 'p.yaml' }))).toBe('conflict')
  expect(await codeOf(releaseFile(deps(), workspaceId))).toBe('conflict')
  const rule = await theRule(world)
  expect((await world.submit(`/settings/rules/${rule?.id}/remove`, {})).status).toBe(409)
  const page = await (await world.get('/settings/rules')).text()
  expect([page.includes(path), page.includes('Copy as YAML')]).toEqual([true, true])
  await leaveFile(deps())
  expect(await readOrigin(db.read, workspaceId)).toBeUndefined()
  expect((await world.submit(`/settings/rules/${rule?.id}/remove`, {})).status).toBe(303)
  expect(await listRules(db.read, workspaceId)).toEqual([])
})

test('two processes apply it once', async () => {
  writeFileSync(path, waiting(50))
  const looks = [createLook(deps(), path), createLook(deps(), path)]
  await Promise.all(looks.map((look) => look()))
  await Promise.all(looks.map((look) => look()))
  expect([await waitMs(), await applied(), await problem()]).toEqual([50_000, 1, undefined])
})

test('where others guard who may decide, all owners are told what whoever has the disk changed', async () => {
  const guarded = await protectWorld(2)
  try {
    const of = { db: guarded.db, clock, log }
    const look = createLook(of, path)
    writeFileSync(path, await exportFile(of, guarded.workspaceId, { baseUrl: guarded.url }))
    await look()
    const notices = async () =>
      (await guarded.db.read.select().from(questions)).filter(({ origin }) => origin === 'policy')
    expect(await notices()).toEqual([])
    const text = await exportFile(of, guarded.workspaceId, { baseUrl: guarded.url })
    writeFileSync(path, text.replace(/^rules:[\s\S]*$/m, 'rules: []\n'))
    await look()
    expect(await listRules(guarded.db.read, guarded.workspaceId)).toEqual([])
    const [notice] = await notices()
    expect(notice).toMatchObject({ status: 'notified' })
    expect(notice?.detail.actionBody).toContain('- rule')
  } finally {
    await guarded[Symbol.asyncDispose]()
  }
})
