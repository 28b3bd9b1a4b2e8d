import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Browser, Page } from 'puppeteer-core'
import { startApp } from '../../src/app.ts'
import { readReceipts } from '../../src/ask/delivery/read-receipts.ts'
import { addPerson } from '../../src/ask/people/people.ts'
import { questions } from '../../src/ask/questions/model/table.ts'
import { listSubscribers } from '../../src/ask/subscribers/model/store.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { openListener } from '../../src/platform/http/listener.ts'
import { silentLog as log } from '../../src/platform/log.ts'
import { readConfig } from '../../src/settings.ts'
import { PASSWORD } from '../support/auth-server.ts'
import { autopush } from '../support/autopush.ts'
import { noFirefox, openFirefox } from '../support/firefox.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

if (noFirefox) console.warn(`Web Push in a real browser is not tested: ${noFirefox}.`)

const email = 'ada@example.com'

type Beckon = Awaited<ReturnType<typeof server>>

/** The whole server at an address it knows, so that pushes lead back to it. */
async function server(folder: string) {
  const free = Bun.serve({ port: 0, fetch: () => new Response() })
  const port = String(free.port)
  await free.stop(true)
  const environment = { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
  const config = readConfig({ data: folder, port }, environment)
  const app = await startApp(config, { log, listener: openListener({ ...config, log }) })
  const { db } = app
  const { person } = await addPerson({ db, clock }, { email, name: 'Ada', password: PASSWORD })
  const { workspaceId } = person
  const { token } = await createToken({ db, clock }, { workspaceId, name: 'agent', test: false })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

  return {
    url: config.baseUrl,
    async devices() {
      return listSubscribers(db.read, workspaceId)
    },
    receipts: (id: string) => readReceipts({ db }, workspaceId, id as QuestionId),
    /** The question's time is over, as if ten minutes had passed. */
    async expire(id: string) {
      const over = { expiresAt: clock.now() - 1 }
      await db.write((tx) =>
        tx
          .update(questions)
          .set(over)
          .where(eq(questions.id, id as QuestionId)),
      )
    },
    async post(path: string, body: object): Promise<Record<string, unknown>> {
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(`${config.baseUrl}/api/v1${path}`, init)
      return (await response.json()) as Record<string, unknown>
    },
    [Symbol.asyncDispose]: () => app.stop(),
  }
}

type Seen = { title: string; body: string; tag: string }

/** What Firefox shows at this moment. */
function notifications(page: Page): Promise<Seen[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const all = await registration.getNotifications()
    return all.map(({ title, body, tag }) => ({ title, body, tag }))
  })
}

/** A page of this Firefox, signed in, whose browser was connected by its button. */
async function connected(firefox: Browser, beckon: Beckon): Promise<Page> {
  const page = await firefox.newPage()
  await page.goto(`${beckon.url}/sign-in?next=/settings/devices`)
  await page.type('input[name=email]', email)
  await page.type('input[name=password]', PASSWORD)
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  await page.waitForSelector('[data-push-connect]:not([hidden])')
  await page.click('[data-push-connect]')
  await page.waitForFunction(() =>
    document.querySelector('[data-push-state]')?.textContent?.includes('took the message'),
  )
  return page
}

// A browser on a busy machine is asked now and then, not all the time.
const LOOK_EVERY_MS = 100

test.skipIf(noFirefox !== undefined)(
  'two Firefoxes subscribe and show a question; an answer on one, a withdrawal and an expiry replace it on both',
  async () => {
    using folder = tempFolder()
    await using push = autopush()
    await using beckon = await server(folder.path)
    const firefoxes = await Promise.all([openFirefox(push.socketUrl), openFirefox(push.socketUrl)])
    try {
      // One after the other: two at once would only wait for the same processor.
      const pages: Page[] = []
      for (const firefox of firefoxes) pages.push(await connected(firefox, beckon))
      const [desk, phone] = pages as [Page, Page]
      expect(push.registeredFor).toHaveLength(2)
      const connection = {
        title: 'This device is connected',
        body: expect.any(String),
        tag: 'test',
      }
      for (const page of pages) {
        await until(async () => (await notifications(page)).length === 1)
        expect(await notifications(page)).toEqual([connection])
      }
      const firefoxOnLinux = { kind: 'browser', label: 'Firefox on Linux' }
      expect(await beckon.devices()).toMatchObject([firefoxOnLinux, firefoxOnLinux])
      await until(async () =>
        (await beckon.devices()).every(({ lastShownAt }) => lastShownAt !== undefined),
      )

      /** Until both show this, and nothing else under this tag. */
      async function bothShow(tag: string, title: string) {
        for (const page of pages) {
          await until(async () => {
            await Bun.sleep(LOOK_EVERY_MS)
            const all = await notifications(page)
            const here = all.filter((one) => one.tag === tag)
            return here.length === 1 && here[0]?.title === title
          })
        }
      }
      async function askBoth(question: string): Promise<string> {
        const body = { question, agentName: 'Codex', wait: false }
        const { correlationId } = await beckon.post('/questions', body)
        await bothShow(correlationId as string, 'Codex asks')
        const [notification] = (await notifications(desk)).filter(
          ({ tag }) => tag === correlationId,
        )
        expect(notification?.body).toBe(question)
        return correlationId as string
      }

      const answered = await askBoth('Merge it?')
      await desk.goto(`${beckon.url}/d/${answered}`)
      await desk.click('button[value=yes]')
      await desk.waitForSelector('.verdict')
      await bothShow(answered, 'Answered: yes')

      const withdrawn = await askBoth('Rebase it?')
      await beckon.post(`/questions/${withdrawn}/cancel`, {})
      await bothShow(withdrawn, 'Withdrawn by the agent')

      const expired = await askBoth('Tag it?')
      await beckon.expire(expired)
      await bothShow(expired, 'Expired without an answer')

      // What the page says it knows is what the browsers themselves said.
      for (const id of [answered, withdrawn, expired]) {
        await until(async () =>
          (await beckon.receipts(id)).every(({ shownAt }) => shownAt !== undefined),
        )
        const receipts = await beckon.receipts(id)
        expect(receipts.map(({ message }) => String(message)).sort()).toEqual([
          ...['outcome', 'outcome', 'question', 'question'],
        ])
      }
      // On each: that it is connected, three questions, and how they ended.
      expect(push.acknowledged()).toBe(14)
      await phone.goto(`${beckon.url}/d/${answered}`)
      const text = await phone.$eval('#receipts', (part) => part.textContent)
      expect(text).toContain('Shown on 2 devices.')
    } finally {
      await Promise.all(firefoxes.map((firefox) => firefox.close()))
    }
  },
  120_000,
)
