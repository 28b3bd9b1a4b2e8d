import { afterEach, beforeEach, expect, test } from 'bun:test'
import { listRules } from '../../../src/ask/policy/model/store.ts'
import { applyFile, compareFile } from '../../../src/ask/policy-file/apply-file.ts'
import { exportFile } from '../../../src/ask/policy-file/export-file.ts'
import { lintFile, lintHere } from '../../../src/ask/policy-file/lint-file.ts'
import { editorSchema } from '../../../src/ask/policy-file/model/policy-file.ts'
import { tryFile } from '../../../src/ask/policy-file/try-file.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword } from '../../support/sign-in.ts'

let world: PageWorld
beforeEach(async () => {
  world = await pageWorld()
  for (const name of ['ana', 'bob', 'fay']) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    await addPersonWithPassword({ db: world.db, clock }, who)
  }
})
afterEach(() => world[Symbol.asyncDispose]())

const FILE = `beckon: policy/1
policy: { waitMs: 50s }
groups:
  engineers: [ana@example.org, bob@example.org, fay@example.org]
rules:
  - id: prod-apply
    match: { toolName: Bash, toolTarget: "terraform apply*" }
    approve: { from: [engineers], need: 2 }   # two of them
    mode: watch   # until December
  - id: no-force
    match: { toolName: Bash, toolTarget: "git push --force*" }
    decision: deny
    mode: enforce
`

const deps = () => ({ db: world.db, clock })
const inFile = (text: string) => ({ text, name: 'p.yaml' })
const compare = (text: string) => compareFile(deps(), world.workspaceId, inFile(text))
async function apply(text: string) {
  const { state: base } = await compare(text)
  return applyFile(deps(), world.workspaceId, { ...inFile(text), base })
}
const modes = async () =>
  (await listRules(world.db.read, world.workspaceId)).map(({ mode }) => mode)
const exported = (before?: string) =>
  exportFile(deps(), world.workspaceId, { baseUrl: world.url, ...(before && { before }) })
const withoutState = (text: string) => text.replace(/^# beckon-state.*\n/m, '')

test('the mode passes through apply, diff and export, which keeps what is written', async () => {
  await apply(FILE)
  expect(await modes()).toEqual(['watch', undefined])
  expect((await compare(FILE)).differences).toEqual([])
  expect(withoutState(await exported(FILE))).toBe(FILE)
  const fresh = await exported()
  expect(fresh.match(/mode: .*/g)).toEqual(['mode: watch'])
  expect((await compare(fresh)).differences).toEqual([])

  const acting = FILE.replace('    mode: watch   # until December\n', '')
  expect((await compare(acting)).differences).toMatchObject([
    { part: 'rule', name: 'prod-apply', fields: [{ field: 'mode', before: 'watch' }] },
  ])
  await apply(acting)
  expect(await modes()).toEqual([undefined, undefined])
  // Brought up to date, the other file loses this line alone.
  expect(withoutState(await exported(FILE))).toBe(acting)
})

test('a dry run says what a rule that only watches would change, and counts it for nothing else', async () => {
  const bash = (toolTarget: string) => ({
    ...{ key: `tool:${toolTarget}` },
    detail: { toolName: 'Bash', toolTarget, action: toolTarget },
  })
  const day = 24 * 3_600_000
  await world.ask(bash('terraform apply -auto-approve'), day)
  await world.ask(bash('terraform apply'), 2 * day)
  await world.ask(bash('git push --force'), 3 * day)
  await world.ask(bash('npm test'), 4 * day)
  const counts = FILE.replace('need: 2', 'need: 2, asker: counts')
  const trial = (text: string) => tryFile(deps(), world.workspaceId, { ...inFile(text), days: 30 })
  const { changed, watching } = await trial(counts)
  expect(changed.map(({ now }) => now.rule)).toEqual(['no-force'])
  expect(watching).toMatchObject([
    {
      ...{ rule: 'prod-apply', calls: 2 },
      changed: [{ before: { is: 'asked' }, now: { is: 'asked', of: '2 of engineers' }, calls: 2 }],
    },
  ])
  // Both only watch: each is tried alone beside what acts.
  const both = await trial(counts.replace('mode: enforce', 'mode: watch'))
  expect(both.changed).toEqual([])
  expect(both.watching.map(({ rule, changed: [one] }) => [rule, one?.now.is, one?.calls])).toEqual([
    ['prod-apply', 'asked', 2],
    ['no-force', 'declined', 1],
  ])
  // Where another rule asks for more, nothing would change.
  const covered = `${counts}  - id: all-bash
    match: { toolName: Bash }
    approve: { from: [engineers], need: 3, asker: counts }
`
  expect((await trial(covered)).watching).toMatchObject([{ calls: 2, changed: [] }])
})

test('lint knows the mode, refuses it where a rule does not ask or decline, and stops nothing', async () => {
  const findings = (text: string) =>
    lintFile(text)
      .filter(({ field }) => !field.endsWith('.match'))
      .map(({ level, line, field }) => [level, line, field])
  expect(findings(FILE)).toEqual([])
  expect(findings(FILE.replace('mode: watch', 'mode: watching'))).toEqual([
    ['error', 9, 'rules[0].mode'],
  ])
  const allows = FILE.replace('decision: deny', 'decision: allow').replace('enforce', 'watch')
  expect(findings(allows)).toEqual([['error', 13, 'rules[1].mode']])
  // It would stop every call, once it acts.
  const many = FILE.replace('need: 2', 'need: 4')
  expect(findings(many)).toEqual([['note', 8, 'rules[0].approve']])
  expect(findings(many.replace('mode: watch', 'mode: enforce'))).toEqual([
    ['warning', 8, 'rules[0].approve'],
  ])
  const here = await lintHere(deps(), world.workspaceId, many)
  expect(here.filter(({ level }) => level !== 'note')).toEqual([])
  expect(JSON.stringify(editorSchema())).toContain('"watch"')
})
