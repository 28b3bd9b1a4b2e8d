import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PUBLICATION_MAX, publicationFor } from '../../../src/ask/channels/ntfy/channel.ts'
import { type NtfyTopic, topicOf } from '../../../src/ask/channels/ntfy/topic.ts'
import { blocksFor } from '../../../src/ask/channels/slack/blocks.ts'
import { PAYLOAD_MAX, payloadFor } from '../../../src/ask/channels/web-push/payload.ts'
import type { Delivery } from '../../../src/ask/delivery/model/channel.ts'
import { notificationMessage } from '../../../src/ask/notifications/notification-message.ts'
import { siteOf } from '../../../src/platform/web/site-name.ts'
import { aDevice } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { baseUrl, quickAnswerSecret } from '../../support/post-office.ts'
import { aNotification } from '../../support/question.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** On each channel. */
function opened(url: string) {
  const notification = aNotification('1', { url })
  const { message, subjectId, expiresAt } = notificationMessage(notification)
  const delivery: Delivery = { message, subjectId, expiresAt }
  const how = { baseUrl, quickAnswerSecret }
  const endpoint = 'https://ntfy.example/topic'
  const web = payloadFor(delivery, aDevice(), { ...how, most: PAYLOAD_MAX })
  const topic = aDevice({ endpoint, transport: 'ntfy' })
  const ntfy = publicationFor(delivery, topic, topicOf(endpoint) as NtfyTopic, {
    ...how,
    most: PUBLICATION_MAX,
  })
  const telling = { message, question: undefined, place: undefined, baseUrl, bare: false }
  const slack = JSON.stringify(blocksFor(telling))
  return {
    web: JSON.parse(web).notification.data.url,
    ntfy: JSON.parse(ntfy).click,
    slack: /"url":"([^"]*)"/.exec(slack)?.[1],
  }
}

test.each([
  ['https://ci.example/build/7', '/n/n_1/go'],
  [`https://ci.example/${'x'.repeat(3_000)}`, '/n/n_1/go'],
  ['HTTPS://beckon.example.evil.com/', '/n/n_1/go'],
  ['javascript:alert(1)', '/n/n_1'],
])('what a tap on a push opens: %s leads to our page', (url, path) => {
  const page = baseUrl + path
  expect(opened(url)).toEqual({ web: page, ntfy: page, slack: page })
})

test('a page of our own is opened at once', () => {
  const page = `${baseUrl}/live/ses_1?from=2`
  expect(opened(page)).toEqual({ web: page, ntfy: page, slack: page })
})

async function look(url: string | undefined, cookie?: string) {
  const { id } = await world.tell({ url, title: 'Secret title', body: 'Secret body' })
  const response = await world.get(`/n/${id}/go`, cookie)
  return { id, response, text: await response.text() }
}

test('the page between names the site to whoever has the address, and nothing else of the message', async () => {
  const url = 'https://ci.example:8443/build?a=1&b=<2>'
  const { response, text } = await look(url, '')
  expect(response.status).toBe(200)
  expect(text).toContain('<b>ci.example:8443</b>')
  expect(text).toContain('href="https://ci.example:8443/build?a=1&amp;b=%3C2%3E"')
  expect(text).not.toContain('Secret')
  expect(text).not.toContain('<script')
  const { headers } = response
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-robots-tag')).toContain('noindex')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('set-cookie')).toBeNull()
  expect((await look(url)).text).toContain('Look at the notification')
})

test('the page between leads on by itself to our own pages alone, and to nothing that is not there', async () => {
  const own = `http://localhost:${new URL(world.url).port}/live/ses_1?from=2`
  const base = (await look(own)).response
  expect([base.status, base.headers.get('location')]).toEqual([303, '/live/ses_1?from=2'])
  for (const url of [undefined, 'javascript:alert(1)', 'data:text/html,x']) {
    const { id, response } = await look(url)
    expect([response.status, response.headers.get('location')]).toEqual([303, `/n/${id}`])
  }
  for (const id of ['n_unknown', "'", '%00', '..%2f..']) {
    expect([id, (await world.get(`/n/${id}/go`)).status]).toEqual([id, 404])
  }
})

test('the address of the message’s own page is written in plain letters', async () => {
  const { id } = await world.tell({ url: 'https://аpple.com/x' })
  expect(await (await world.get(`/n/${id}`)).text()).toContain('>https://xn--pple-43d.com/x</a>')
})

test.each([
  ['https://example.com/', { host: 'example.com', written: undefined, mixed: false }],
  // A Cyrillic а among Latin letters; then all letters Cyrillic.
  ['https://аpple.com/', { host: 'xn--pple-43d.com', written: undefined, mixed: true }],
  [
    'https://аррӏе.com/',
    {
      host: 'xn--80ak6aa92e.com',
      written: { text: 'аррӏе.com', scripts: ['Cyrillic', 'Latin'] },
      mixed: false,
    },
  ],
  [
    'https://münchen.de/',
    { host: 'xn--mnchen-3ya.de', written: { text: 'münchen.de', scripts: ['Latin'] } },
  ],
  ['https://日本語テスト.jp/', { mixed: false }],
  ['https://GitHub.com@evil.example/login', { host: 'evil.example', disguised: true }],
  ['http://github.com%2f@evil.example/', { host: 'evil.example', disguised: true }],
  ['https://github.com\\@evil.example/', { host: 'github.com', disguised: false }],
  ['http://0x7f.1/', { host: '127.0.0.1' }],
  ['https://[::1]:8443/', { host: '[::1]:8443', written: undefined }],
])('%s is named for what it is', (address, expected) => {
  expect(siteOf(address)).toMatchObject(expected)
})

test('what is no web address has no name', () => {
  for (const text of ['', 'x', 'javascript:alert(1)', 'file:///etc/passwd', 'https://']) {
    expect([text, siteOf(text)]).toEqual([text, undefined])
  }
})
