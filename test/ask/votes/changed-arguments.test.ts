import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { findQuestionById } from '../../../src/ask/questions/model/store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type ProtectWorld, protectWorld } from '../../support/protect-world.ts'

let world: ProtectWorld
let token: string
beforeAll(async () => {
  world = await protectWorld(0)
  const { db, workspaceId } = world
  // Of Eve, who decides nothing.
  const agent = { workspaceId, name: 'agent', by: world.id('eve') }
  token = (await createToken({ db, clock }, agent)).token
  const approve = { from: [world.engineers.id] }
  const add = (match: object, more: object = {}) =>
    addRule({ db, clock }, workspaceId, { match, approve: { ...approve, ...more } })
  await add({ toolName: 'run', toolTarget: 'terraform apply*' })
  await add({ toolName: 'deploy', toolTarget: 'shop/prod*' })
  await add({ toolName: 'scale' }, { except: [{ toolTarget: 'dev*' }] })
})
afterAll(() => world[Symbol.asyncDispose]())

let asks = 0
async function ask(toolName: string, toolTarget: string, args: Record<string, unknown>) {
  const properties = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      Array.isArray(value) ? { type: 'array', items: { type: 'string' } } : { type: typeof value },
    ]),
  )
  const response = await fetch(`${world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ question: `${toolName}?`, toolName, toolTarget, wait: false },
      ...{ action: `${toolName} ${JSON.stringify(args)}`, actionBody: JSON.stringify(args) },
      ...{ requestId: `action:${++asks}`, edit: { type: 'object', properties } },
    }),
  })
  return ((await response.json()) as { correlationId: QuestionId }).correlationId
}

async function yes(id: string, who: string, args: object) {
  const response = await fetch(`${world.url}/api/v1/questions/${id}/answer`, {
    method: 'POST',
    headers: {
      ...{ cookie: world.cookies[who] ?? '', origin: world.url },
      'content-type': 'application/json',
    },
    body: JSON.stringify({ value: 'yes', arguments: args }),
  })
  return response.status
}

const PLAN = ['run', 'terraform plan', { command: 'terraform plan', times: 1 }] as const
const SHOP = ['deploy', 'shop/dev', { app: 'shop', to: 'dev' }] as const

test.each([
  ['the command that a rule restricts', PLAN, { command: 'terraform apply -auto-approve' }],
  ['a line in which it stands', PLAN, { command: 'cd x && terraform apply' }],
  ['a part of the target of its call', SHOP, { to: 'prod' }],
  [
    'another target in two places',
    ['deploy', 'a/dev', { app: 'a', to: 'dev' }],
    { app: 'shop', to: 'prod' },
  ],
  ['what a rule excepts no longer', ['scale', 'dev 2', { where: 'dev', to: 2 }], { where: 'prod' }],
] as const)('a yes does not make a call %s', async (_, [tool, target, before], args) => {
  const id = await ask(tool, target, before)
  expect((await findQuestionById(world.db.read, id))?.requirement).toBeUndefined()
  expect(await yes(id, 'eve', args)).toBe(422)
  expect((await findQuestionById(world.db.read, id))?.status).toBe('pending')
})

test('what no rule may be about is changed as before', async () => {
  expect(await yes(await ask(...PLAN), 'eve', { command: 'terraform plan -out=x' })).toBe(200)
  expect(await yes(await ask(...PLAN), 'eve', { times: 2 })).toBe(200)
  expect(await yes(await ask(...SHOP), 'eve', { to: 'test' })).toBe(200)
})

test('whom the rule names may change its call', async () => {
  const id = await ask('run', 'terraform apply', { command: 'terraform apply', times: 1 })
  expect(await yes(id, 'ana', { times: 2 })).toBe(200)
})
