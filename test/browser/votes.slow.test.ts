import { expect, setDefaultTimeout, test } from 'bun:test'
import { insertGroup, putGroupMembers } from '../../src/ask/groups/model/store.ts'
import { addRule } from '../../src/ask/policy/change-policy.ts'
import type { RuleApprove } from '../../src/ask/policy/model/rule-approve.ts'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import { receiptSentence, verifyReceipt } from '../../src/ask/receipts/verify-receipt.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/ids.ts'
import { type PageWorld, pageWorld } from '../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../support/sign-in.ts'
import { until } from '../support/until.ts'
import { openChromium, openTab } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(120_000)

const browser = await openChromium()
const NAMES = ['bob', 'cleo', 'fay'] as const
const SHOTS = process.env.SHOTS

/** Three engineers, a rule about them, and a question under it. */
async function ask(world: PageWorld, approve: Partial<RuleApprove>) {
  const { db, workspaceId, app } = world
  const people = await Promise.all(
    NAMES.map((name) =>
      addPersonWithPassword({ db, clock }, { email: `${name}@example.org`, name, role: 'member' }),
    ),
  )
  const group = { id: newId('group', clock.now()), workspaceId, name: 'engineers' } as const
  const ids = people.map(({ id }) => id)
  await db.write(async (tx) => {
    await insertGroup(tx, { ...group, source: 'hand', externalId: undefined, createdAt: 1 })
    await putGroupMembers(tx, group, 'hand', ids)
  })
  await addRule({ db, clock }, workspaceId, {
    match: { toolName: 'Bash' },
    approve: { from: [group.id], asker: 'counts', ...approve },
  })
  const by = ids[2] ?? ''
  const { token } = await createToken({ db, clock }, { workspaceId, name: 'agent', by })
  const response = await fetch(`${world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Apply the plan?', toolName: 'Bash', wait: false }),
  })
  const { correlationId: id } = (await response.json()) as { correlationId: QuestionId }
  const cookies = await Promise.all(ids.map((personId) => signInAs(app, personId)))
  return { id, cookies }
}

test('a vote is signed with a passkey on the page of its question', async () => {
  await using world = await pageWorld()
  const { id, cookies } = await ask(world, { fresh: 'passkey', need: 1 })
  // Passkeys belong to a name, never to an address.
  const url = world.url.replace('127.0.0.1', 'localhost')
  await using tab = await openTab(browser, { url, cookie: cookies[0] ?? '' })
  const { page, context } = tab
  const shoot = async (name: string) => {
    if (!SHOTS) return
    for (const [width, height] of [
      [390, 844],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.screenshot({ path: `${SHOTS}/${name}-${width}.png` })
    }
  }
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const
  const verifies = { hasUserVerification: true, isUserVerified: true }
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, ...verifies, automaticPresenceSimulation: true },
  })
  const approve = page.getByRole('button', { name: 'Approve' })

  await page.goto(`/d/${id}`)
  await approve.waitFor()
  await shoot('demand')
  await approve.click()
  await page.getByText('you have none here').waitFor()
  await shoot('none')
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('This passkey signs you in from now on.').waitFor()

  await page.goto(`/d/${id}`)
  await approve.click()
  await page.getByRole('heading', { name: 'Prove that it is you' }).waitFor()
  await shoot('prove')
  await page.getByRole('button', { name: 'Use your passkey and send' }).click()
  await page.getByText('Needed').waitFor()
  await page.getByText('yes with a passkey').waitFor()
  await shoot('vote')
  let receipt = ''
  await until(async () => {
    const response = await world.get(`/api/v1/receipts/${id}`)
    receipt = await response.text()
    return response.ok
  })
  const verified = await verifyReceipt(receipt)
  if (!verified.ok) throw new Error(verified.why)
  expect(verified.payload).toMatchObject({ version: 5, decision: { by: { kind: 'people' } } })
  expect(receiptSentence(verified.payload)).toContain('passkey')
  expect(tab.complaints).toEqual([])
})

test('two people approve at once in two browsers: both count, and one of them decides it', async () => {
  await using world = await pageWorld()
  const { id, cookies } = await ask(world, { need: 2 })
  const [bob = '', cleo = ''] = cookies
  await using one = await openTab(browser, { url: world.url, cookie: bob })
  await using other = await openTab(browser, { url: world.url, cookie: cleo })
  const vote = ({ page }: typeof one) =>
    Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/answer')),
      page.getByRole('button', { name: 'Approve' }).click(),
    ])
  await Promise.all([one.page.goto(`/d/${id}`), other.page.goto(`/d/${id}`)])
  await Promise.all([vote(one), vote(other)])
  for (const { page } of [one, other]) {
    await page.goto(`/d/${id}`)
    await page.getByText('Needed').waitFor()
  }
  const question = await findQuestion(world.db.read, world.workspaceId, id)
  expect(question).toMatchObject({ status: 'answered', value: 'yes' })
  expect(question?.detail.votedBy?.map(({ name }) => name).sort()).toEqual(['bob', 'cleo'])
  expect([one.complaints, other.complaints]).toEqual([[], []])
})
