import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PersonId } from '../../../../src/ask/accounts/model/ids.ts'
import { addRule, removeRule } from '../../../../src/ask/policy/change-policy.ts'
import type { RuleApprove } from '../../../../src/ask/policy/model/rule-approve.ts'
import { findQuestion } from '../../../../src/ask/questions/model/store.ts'
import { createToken } from '../../../../src/ask/tokens/agent-tokens.ts'
import { listVotes } from '../../../../src/ask/votes/model/store.ts'
import type { QuestionId } from '../../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../../src/platform/clock.ts'
import { aDevice, connect } from '../../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../../support/page-world.ts'
import { addPersonWithPassword } from '../../../support/sign-in.ts'
import { type SmtpServer, smtpServer } from '../../../support/smtp-server.ts'
import { until } from '../../../support/until.ts'

let mail: SmtpServer
let world: PageWorld
let agent: string
const ids = {} as Record<'bob' | 'fay' | 'eve', PersonId>

beforeAll(async () => {
  mail = await smtpServer({ starttls: false })
  world = await pageWorld({
    env: {
      BECKON_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      BECKON_SMTP_FROM: 'beckon@example.com',
      BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    },
  })
  const { db, workspaceId } = world
  for (const name of ['bob', 'fay', 'eve'] as const) {
    const email = `${name}@example.org`
    ids[name] = (await addPersonWithPassword({ db, clock }, { email, name, role: 'member' })).id
    const where = { kind: 'chat', transport: 'email', endpoint: `mailto:${email}` } as const
    await connect(db, aDevice({ workspaceId, personId: ids[name], ...where, keys: undefined }))
  }
  const asker = await addPersonWithPassword(
    { db, clock },
    { email: 'ana@example.org', name: 'ana', role: 'member' },
  )
  agent = (await createToken({ db, clock }, { workspaceId, name: 'agent', by: asker.id })).token
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})

/** Asks under a rule for Bob and Fay, of which Eve is told; resolves to the mail that each got. */
let asks = 0
async function ask(how: Partial<RuleApprove>) {
  const { db, workspaceId, url } = world
  const from = [ids.bob, ids.fay]
  const approve = { from, tell: Object.values(ids), ...how }
  const rule = await addRule({ db, clock }, workspaceId, { match: { toolName: 'Bash' }, approve })
  const before = mail.mails.length
  const response = await fetch(`${url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: `Apply ${++asks}?`, toolName: 'Bash', wait: false }),
  })
  const { correlationId: id } = (await response.json()) as { correlationId: QuestionId }
  await until(() => mail.mails.length === before + 3)
  await removeRule({ db, clock }, workspaceId, rule.id, ids.bob)
  const to = (name: keyof typeof ids) =>
    mail.mails.slice(before).find((one) => one.to === `${name}@example.org`)?.raw ?? ''
  return { id, to }
}

/** As a mail program reads it. */
function decoded(raw: string): string {
  return raw
    .replace(/\r\n[ \t]+/g, ' ')
    .replace(/=\r\n/g, '')
    .replaceAll('=3D', '=')
    .replaceAll('&amp;', '&')
}
function pathsIn(raw: string): string[] {
  const addresses = decoded(raw).match(/https?:\/\/[^\s"'<>]+/g) ?? []
  return [...new Set(addresses)].map((one) => {
    const { pathname, search } = new URL(one)
    return pathname + search
  })
}
const linkIn = (raw: string) => pathsIn(raw).find((path) => path.startsWith('/a/')) ?? ''
const read = (id: QuestionId) => findQuestion(world.db.read, world.workspaceId, id)

test.each<[string, Partial<RuleApprove>]>([
  ['anywhere', {}],
  ['by two', { need: 2 }],
  ['on the page alone', { where: ['page'] }],
  ['with a passkey', { fresh: 'passkey' }],
])(
  'where a yes is given %s, no address of a mail gives one, whatever is sent there',
  async (_, how) => {
    const { id, to } = await ask(how)
    for (const name of ['bob', 'fay', 'eve'] as const) {
      const raw = to(name)
      const paths = pathsIn(raw)
      expect(paths.filter((path) => path.startsWith('/a/'))).toHaveLength(1)
      expect(decoded(raw)).not.toMatch(/<form|<button|<input|answerKey|\/yes/)
      const page = await (await world.get(linkIn(raw), '')).text()
      expect(page).not.toContain('name="value" value="yes"')
      for (const path of paths) {
        for (const fields of [
          {},
          { value: 'yes' },
          { value: 'yes', sure: 'yes', note: 'go', grant: 'session' },
          { answer: 'yes', purpose: 'yes' },
        ]) {
          await world.post(path, fields as Record<string, string>, { cookie: '' })
        }
      }
    }
    expect(await listVotes(world.db.read, id)).toEqual([])
    expect((await read(id))?.status).toBe('pending')
  },
)

test('the link of a mail declines for the person whose mailbox it is, if they may decide', async () => {
  const { id, to } = await ask({ need: 2 })
  const decline = async (name: keyof typeof ids) =>
    (await world.post(linkIn(to(name)), { value: 'no' }, { cookie: '' })).status
  expect([await decline('eve'), (await read(id))?.status]).toEqual([422, 'pending'])
  expect(await decline('fay')).toBe(200)
  expect(await read(id)).toMatchObject({
    ...{ status: 'answered', value: 'no', answeredBy: ids.fay },
    answeredOn: { kind: 'link' },
  })
  const [vote] = await listVotes(world.db.read, id)
  expect(vote).toMatchObject({ name: 'fay', value: 'no', proof: 'link', source: 'answer_link' })
})
