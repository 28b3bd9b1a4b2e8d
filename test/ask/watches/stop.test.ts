import { expect, test } from 'bun:test'
import { listPeople } from '../../../src/ask/accounts/model/person-store.ts'
import { writeMail } from '../../../src/ask/channels/email/write-mail.tsx'
import { insertWatch, listWatches } from '../../../src/ask/watches/model/store.ts'
import type { Watch } from '../../../src/ask/watches/model/watch.ts'
import { stopPath } from '../../../src/ask/watches/stop-link.ts'
import { pageWorld } from '../../support/page-world.ts'

/** Mara, who watches a tool, and the link in her messages. */
async function watching() {
  const world = await pageWorld()
  const { db, app, workspaceId } = world
  const [mara] = await listPeople(db.read, workspaceId)
  const whose = { workspaceId, personId: mara?.id ?? '' }
  const watch: Watch = {
    ...{ ...whose, id: 'wat_1', tokenId: undefined, kind: 'tool', target: 'acme-mail' },
    ...{ records: [], news: ['endings'], url: undefined, secret: undefined, createdAt: 1, upTo: 0 },
    ...{ stoppedAt: undefined, stoppedWhy: undefined },
  }
  await db.write((tx) => insertWatch(tx, watch))
  const stopped = async () => (await listWatches(db.read, whose))[0]?.stoppedAt !== undefined
  return { world, stop: stopPath(app.secrets.quickAnswerSecret, whose), stopped }
}

test('a mail program stops the messages with one request, without a session', async () => {
  const { world, stop, stopped } = await watching()
  await using _ = world
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = 'List-Unsubscribe=One-Click'
  const request = { method: 'POST', headers: form, body, redirect: 'manual' as const }
  expect((await fetch(`${world.url}${stop.slice(0, -1)}`, request)).status).toBe(404)
  expect(await stopped()).toBe(false)
  expect((await fetch(world.url + stop, request)).status).toBeLessThan(400)
  expect(await stopped()).toBe(true)
})

test('opening the link alone stops nothing; the page asks, and the settings go on', async () => {
  const { world, stop, stopped } = await watching()
  await using _ = world
  const page = await fetch(world.url + stop)
  expect([page.status, await stopped()]).toEqual([200, false])
  expect(await page.text()).toContain(`action="${stop}"`)
  await fetch(world.url + stop, { method: 'POST', redirect: 'manual' })
  expect(await (await world.get('/settings/watches')).text()).toContain('Messages are stopped')
  await world.post('/settings/watches/resume', {})
  expect(await stopped()).toBe(false)
  await world.post('/settings/watches/wat_1/remove', {})
  expect(await (await world.get('/settings/watches')).text()).toContain('No watches yet')
})

test('the mail names the link that stops it in one step (RFC 8058)', async () => {
  const stop = '/watches/stop/ws_1.ana.key'
  const message = { kind: 'notification', title: 'News', body: 'b', tag: 't', url: '/x' } as const
  const delivery = {
    message: { ...message, urgency: 'normal', stop } as const,
    subjectId: 'n_1' as const,
    expiresAt: 1,
  }
  const about = {
    ...{ from: 'a@example.com', to: 'b@example.com', baseUrl: 'https://b.example' },
    ...{ quickAnswerSecret: 's', deviceId: 'sub_1' as const },
  }
  const mail = (await writeMail(delivery, about)).toString()
  expect(mail).toContain(`List-Unsubscribe: <https://b.example${stop}>`)
  expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
})
