import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { PersonId } from '../../../src/ask/accounts/model/ids.ts'
import { listPeople } from '../../../src/ask/accounts/model/person-store.ts'
import { viewersOf } from '../../../src/ask/asking/open-question.ts'
import { decidedUnasked } from '../../../src/ask/gates/unasked.ts'
import type { GroupId } from '../../../src/ask/groups/model/group.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { asksAlways, decideByRule, needsDeciders } from '../../../src/ask/policy/decide-by-rule.ts'
import { isEnforced, type Rule } from '../../../src/ask/policy/model/rule.ts'
import { createPolicies, deleteRule, insertRule } from '../../../src/ask/policy/model/store.ts'
import { planQuestion } from '../../../src/ask/policy/plan-question.ts'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { questionBytes } from '../../../src/ask/questions/model/question.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type Random, seeded } from '../../long/crash/random.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { aQuestion } from '../../support/question.ts'
import { SEED } from '../../support/seed.ts'
import { addPersonWithPassword } from '../../support/sign-in.ts'

let world: PageWorld
let people: PersonId[]
let groups: GroupId[]
let tokenId: Question['tokenId']
beforeEach(async () => {
  world = await pageWorld()
  const { db, workspaceId } = world
  for (const name of ['ana', 'bob', 'fay']) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    await addPersonWithPassword({ db, clock }, who)
  }
  people = (await listPeople(db.read, workspaceId)).map(({ id }) => id)
  groups = [newId('group', 1), newId('group', 2)]
  await db.write(async (tx) => {
    for (const [at, id] of groups.entries()) {
      const group = { id, workspaceId, name: `group ${at}`, source: 'hand' } as const
      await insertGroup(tx, { ...group, externalId: undefined, createdAt: 1 })
      await putGroupMembers(tx, group, 'hand', people.slice(at, at + 3))
    }
  })
  const by = people[0] as PersonId
  tokenId = (await createToken({ db, clock }, { workspaceId, name: 'agent', by })).record.id
})
afterEach(() => world[Symbol.asyncDispose]())

const TOOLS = ['Bash', 'Bash', 'Write', undefined]
const TARGETS = ['npm test', 'npm *', 'git push*', 'rm -rf build', undefined]
const REPOS = ['shop', 'docs', undefined]

const pick = <T>(random: Random, list: readonly T[]) => random.pick(list) as T

function drawMatch(random: Random): Rule['match'] {
  const parts = {
    toolName: pick(random, TOOLS),
    toolTarget: pick(random, TARGETS),
    repoKey: pick(random, [undefined, undefined, ...REPOS]),
    owner: pick(random, [undefined, undefined, undefined, people[0], groups[0], groups[1]]),
    token: pick(random, [undefined, undefined, undefined, tokenId]),
  }
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
}

function drawRule(random: Random, at: number, mode: Rule['mode']): Rule {
  const match = drawMatch(random)
  const { workspaceId } = world
  const common = { id: newId('rule', 1_000 + at), workspaceId, match, set: {}, createdAt: 1, mode }
  const from = [pick(random, [...groups, ...people])]
  const approve = {
    from,
    need: pick(random, [1, 2, 9]),
    asker: pick(random, ['counts', 'excluded'] as const),
    ...(random.chance(0.3) && { and: [{ from: [pick(random, groups)] }] }),
    ...(random.chance(0.2) && { except: [{ owner: pick(random, people) }] }),
  }
  const kinds = [
    { ...common, decision: undefined, approve },
    { ...common, decision: undefined, approve, set: { waitMs: 1_000 } },
    { ...common, decision: 'deny' as const },
    { ...common, decision: 'deny' as const, set: { tags: ['phone'] } },
  ]
  const acting = [
    { ...common, decision: 'allow' as const, match: { toolName: 'Bash', ...match } },
    { ...common, decision: 'ask' as const },
    { ...common, decision: undefined, set: { deliveryMode: 'terminal_only' as const } },
    { ...common, decision: undefined, set: { onTimeout: 'deny' as const, waitMs: 2_000 } },
  ]
  return pick(random, mode === 'watch' ? kinds : [...kinds, ...acting])
}

function drawCall(random: Random, at: number): Question {
  const toolTarget = pick(random, ['npm test', 'npm run x', 'git push', 'rm -rf build', undefined])
  const toolName = pick(random, TOOLS)
  return aQuestion(`${at}`, {
    ...{ workspaceId: world.workspaceId, tokenId, repoKey: pick(random, REPOS), sessionId: 's1' },
    type: pick(random, ['confirm', 'confirm', 'select'] as const),
    origin: pick(random, ['ask', 'ask', 'scope'] as const),
    test: random.chance(0.1),
    detail: {
      ...(toolName && { toolName }),
      ...(toolTarget && { toolTarget, action: toolTarget }),
      ...(random.chance(0.1) && { atTerminal: true as const }),
    },
  })
}

async function withRules<T>(rules: readonly Rule[], work: () => Promise<T>): Promise<T> {
  const { db, workspaceId } = world
  await db.write(async (tx) => {
    for (const rule of rules) await insertRule(tx, rule)
    tx.emit('policy', workspaceId)
  })
  try {
    return await work()
  } finally {
    await db.write(async (tx) => {
      for (const { id } of rules) await deleteRule(tx, workspaceId, id)
      tx.emit('policy', workspaceId)
    })
  }
}

/** Everything that rules decide of a call, and the question that it becomes. */
async function whatHappens(draft: Question) {
  const { db } = world
  using policies = createPolicies({ db, clock })
  const deps = { db, policies }
  const approval = { input: { question: draft.question }, asked: draft, cwd: '/home/ana/shop' }
  const { question, ...plan } = await planQuestion(deps, draft, { timeoutMs: undefined })
  const { watched, ...rest } = question
  const { rules } = await policies.of(draft.workspaceId)
  const tool = { name: 'deploy', listed: true } as Parameters<typeof decidedUnasked>[1]['tool']
  const seen = {
    ...{ question: rest, plan, viewers: viewersOf(question), bytes: questionBytes(question) },
    decided: await decideByRule(deps, approval, undefined),
    always: await asksAlways(deps, draft),
    deciders: await needsDeciders(deps, draft),
    unasked: decidedUnasked(rules, { gate: 'shop', tool, machineId: undefined }),
  }
  return { seen: JSON.stringify(seen), watched: watched ?? [] }
}

test(`a rule that only watches changes nothing about any call (TEST_SEED=${SEED})`, async () => {
  const random = seeded(SEED)
  let count = 0
  for (let round = 0; round < 15; round++) {
    const acting = Array.from({ length: random.between(0, 5) }, (_, at) =>
      drawRule(random, at, undefined),
    )
    const watching = Array.from({ length: random.between(1, 5) }, (_, at) =>
      drawRule(random, 10 + at, 'watch'),
    )
    const calls = Array.from({ length: 8 }, (_, at) => drawCall(random, round * 8 + at))
    const all = () => Promise.all(calls.map(whatHappens))
    const without = await withRules(acting, all)
    const beside = await withRules([...acting, ...watching], all)
    expect(beside.map(({ seen }) => seen)).toEqual(without.map(({ seen }) => seen))
    expect(without.flatMap((one) => one.watched)).toEqual([])
    // Each says what it would have asked for, had it alone acted beside the others.
    for (const [at, { watched: copies }] of beside.entries()) {
      for (const { rule, approve } of copies) {
        count++
        const one = { ...watching.find(({ id }) => id === rule.id), mode: undefined } as Rule
        const call = calls[at] as Question
        const acts = await withRules([...acting, one], () => whatHappens(call))
        const { question, decided } = JSON.parse(acts.seen)
        const byRule = decided?.decision === 'deny' && decided.byRule.id
        const asks = question.requirement?.rules.map(({ id }: { id: string }) => id) ?? []
        expect(call.test).toBe(false)
        expect(approve ? asks : [byRule]).toContain(rule.id)
      }
    }
  }
  // The draws reach what they are about.
  expect(count).toBeGreaterThan(10)
})

test('mode goes with approve and with declining alone, and enforce is not written', async () => {
  const deps = { db: world.db, clock }
  const { workspaceId } = world
  const match = { toolName: 'Bash' }
  const refused = await addRule(deps, workspaceId, {
    ...{ match, decision: 'allow', mode: 'watch' },
  }).catch((error) => error.fields)
  expect(refused).toMatchObject([{ field: 'mode' }])
  const acts = await addRule(deps, workspaceId, { match, decision: 'deny', mode: 'enforce' })
  expect([isEnforced(acts), 'watch' in acts]).toEqual([true, false])
})
