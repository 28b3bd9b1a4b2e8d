import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Guard } from '../../../src/ask/accounts/model/guarded-change.ts'
import type { Protect } from '../../../src/ask/policy/model/protect.ts'
import { applyFile, compareFile } from '../../../src/ask/policy-file/apply-file.ts'
import { exportFile } from '../../../src/ask/policy-file/export-file.ts'
import type { PolicyFile, RuleInFile } from '../../../src/ask/policy-file/model/policy-file.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword } from '../../support/sign-in.ts'

const PEOPLE = ['ana', 'bob', 'cleo', 'dev'].map((name) => `${name}@example.org`)
const GROUPS = ['engineers', 'managers', 'no', '012']
const RUNS = 25

let worlds: PageWorld[]
beforeAll(async () => {
  worlds = [await pageWorld(), await pageWorld()]
  for (const { db } of worlds) {
    for (const email of PEOPLE) {
      const who = { email, name: email.slice(0, 3), role: 'member' } as const
      await addPersonWithPassword({ db, clock }, who)
    }
  }
})
afterAll(async () => {
  for (const world of worlds) await world[Symbol.asyncDispose]()
})

// Applied one after the other by nobody whom they protect.
const guard: Guard = (_, __, write) => write()
const baseUrl = 'https://beckon.example.com'

/** Makes a workspace as the file says, and reads it back. */
async function throughWorld({ db, workspaceId }: PageWorld, text: string): Promise<string> {
  const file = { text, name: 'p.yaml' }
  const { state: base } = await compareFile({ db, clock }, workspaceId, file)
  await applyFile({ db, clock, guard }, workspaceId, { ...file, base })
  return await exportFile({ db }, workspaceId, { baseUrl })
}

const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 })
const word = fc.constantFrom(
  'Bash',
  'Write',
  'no',
  '22:00',
  '# not a comment',
  "it's: [1]",
  '~',
  '*',
)
const ms = fc.constantFrom(600_000, 3_600_000, 14_400_000, 600_001)
const from = some([...GROUPS, ...PEOPLE])
const match = fc.record(
  {
    toolName: word,
    toolTarget: word,
    agentName: word,
    owner: fc.constantFrom(...GROUPS, ...PEOPLE),
  },
  { requiredKeys: ['toolName'] },
)
const mode = fc.constantFrom('watch', 'enforce')
const approve = fc.record(
  {
    from,
    need: fc.integer({ min: 1, max: 3 }),
    and: fc.array(fc.record({ from, need: fc.constantFrom(1, 2) }), { maxLength: 2 }),
    asker: fc.constantFrom('excluded', 'counts'),
    no: from,
    fresh: fc.constantFrom('sign_in', 'passkey'),
    except: fc.array(match, { minLength: 1, maxLength: 2 }),
    where: some(['page', 'chat']),
    lifeMs: ms,
    usableMs: ms,
  },
  { requiredKeys: ['from'] },
)
const ruleParts = fc.oneof(
  fc.record({ match, approve }),
  fc.record({ match, approve, mode }),
  fc.record({ match, decision: fc.constant('deny'), mode }),
  fc.record({ match, decision: fc.constantFrom('allow', 'deny', 'ask') }),
  fc.record({ match, set: fc.record({ waitMs: fc.constantFrom(5_000, 50_000) }) }),
)
const policyFile = fc.record({
  policy: fc.record({
    waitMs: fc.constantFrom(5_000, 45_000, 50_500),
    failoverTo: fc.subarray(PEOPLE),
    quietHours: fc.constantFrom(null, { from: '22:00', to: '07:00', zone: 'Europe/Berlin' }),
  }),
  groups: fc.tuple(...GROUPS.map(() => fc.subarray(PEOPLE))),
  protect: fc.constantFrom(null, { from: ['ana@example.org'] }, { from: PEOPLE, need: 2 }),
  visibility: fc.constantFrom('workspace', 'group', 'own'),
  rules: fc.array(ruleParts, { maxLength: 5 }),
})
type Drawn = typeof policyFile extends fc.Arbitrary<infer T> ? T : never

let count = 0
/** The rules of each are new, so that they come in the order of the file. */
function fileOf({ policy, groups, protect, visibility, rules }: Drawn): PolicyFile {
  count++
  return {
    beckon: 'policy/1',
    policy: policy as NonNullable<PolicyFile['policy']>,
    groups: Object.fromEntries(GROUPS.map((name, at) => [name, groups[at] ?? []])),
    protect: protect as unknown as Protect | null,
    visibility: visibility as NonNullable<PolicyFile['visibility']>,
    rules: rules.map((rule, at) => ({ id: `r${count}-${at}`, ...rule }) as RuleInFile),
  }
}

test('what is exported and applied to another workspace is exported there byte for byte', async () => {
  const [one, other] = worlds
  if (!one || !other) throw new Error('there are no workspaces')
  await fc.assert(
    fc.asyncProperty(policyFile, async (drawn) => {
      const clear = 'beckon: policy/1\nprotect: null\nvisibility: workspace\nrules: []\n'
      for (const world of worlds) await throughWorld(world, clear)
      const exported = await throughWorld(one, JSON.stringify(fileOf(drawn)))
      expect(await throughWorld(other, exported)).toBe(exported)
      // What did not change stays as it was written, with its comments.
      const noted = exported.replace(/^(rules|groups|policy):/gm, '# why we have $1\n$1:')
      const { db, workspaceId } = one
      await throughWorld(one, 'beckon: policy/1\npolicy: { waitMs: 33s }\n')
      const updated = await exportFile({ db }, workspaceId, { baseUrl, before: noted })
      expect(updated).toContain('33s')
      expect(updated.match(/# why we have \w+/g)).toEqual(noted.match(/# why we have \w+/g))
    }),
    { numRuns: RUNS, seed: 48 },
  )
}, 120_000)
