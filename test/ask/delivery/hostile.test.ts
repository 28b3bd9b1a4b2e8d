import { expect, test } from 'bun:test'
import { createNtfy } from '../../../src/ask/channels/ntfy/channel.ts'
import type { Message } from '../../../src/ask/delivery/model/channel.ts'
import { aDevice } from '../../support/devices.ts'
import { ADDRESSES, CORPUS } from '../../support/hostile-corpus.ts'
import {
  aMessage,
  baseUrl,
  postOffice,
  questionId,
  quickAnswerSecret,
} from '../../support/post-office.ts'

const never = new AbortController().signal

/** A message with this text, and this address, wherever either may stand. */
function evil(text: string, address: string): Message {
  const { question: _, ...message } = aMessage({ kind: 'notification', title: text, body: text })
  return { ...message, url: address, iconUrl: address, imageUrl: address }
}

const CASES = CORPUS.map((text, i) => [text, ADDRESSES[i % ADDRESSES.length] ?? ''] as const)

/** On the screen there is the beginning of the text, and nothing that was not in it. */
function begins(excerpt: unknown, text: string): boolean {
  return text.toWellFormed().startsWith(String(excerpt).toWellFormed().replace(/…$/, ''))
}

function isWeb(address: unknown): boolean {
  return /^https?:\/\/[^\s"<>]+$/.test(String(address))
}

test('to a push service goes the text in its fields, and headers that are ours', async () => {
  await using office = await postOffice()
  const device = aDevice(office.push.subscribe('one'))
  const expiresAt = office.clock.now() + 600_000
  const wrong: string[] = []
  let headers: string[] | undefined
  for (const [text, address] of CASES) {
    const message = evil(text, address)
    const delivery = { message, subjectId: questionId, expiresAt }
    expect(await office.channel.send(delivery, device, never)).toMatchObject({
      outcome: 'accepted',
    })
    const delivered = office.push.delivered.at(-1)
    const notification: Record<string, unknown> = delivered?.payload.notification ?? {}
    const { title, body, navigate, icon, image } = notification
    const names = Object.keys(delivered?.headers ?? {}).sort()
    headers ??= names
    expect(names).toEqual(headers)
    if (!begins(title, text) || !begins(body, text)) wrong.push(`${text} is ${title}, ${body}`)
    for (const one of [navigate, icon, image]) {
      if (one !== undefined && !isWeb(one)) wrong.push(`${address} is ${one}`)
    }
  }
  expect(wrong).toEqual([])
})

test('to an ntfy server goes JSON with the text in its fields, and nothing beside it', async () => {
  await using office = await postOffice()
  const { ntfy, clock, outside } = office
  const { fetch } = outside
  const channel = createNtfy({ fetch, clock, baseUrl, quickAnswerSecret })
  const endpoint = `${ntfy.origin}/topic`
  const device = aDevice({ kind: 'phone', transport: 'ntfy', keys: undefined, endpoint })
  const wrong: string[] = []
  for (const [text, address] of CASES) {
    const message = evil(text, address)
    const delivery = { message, subjectId: questionId, expiresAt: office.clock.now() + 600_000 }
    expect(await channel.send(delivery, device, never)).toMatchObject({ outcome: 'accepted' })
    const published = ntfy.published.at(-1)
    if (!published) throw new Error('nothing was sent')
    const { topic, title, message: body, click, actions, icon, attach } = published
    expect([topic, actions]).toEqual(['topic', undefined])
    const isWhole = text.trim() === '' ? begins(title, text) : begins(body, text)
    if (!begins(title, text) || !isWhole) wrong.push(`${text} is ${title}, ${body}`)
    for (const one of [click, icon, attach]) {
      if (one !== undefined && !isWeb(one)) wrong.push(`${address} is ${one}`)
    }
    // An agent gives no path: its address is a web address, or leads to what it told.
    if (!/^(https:|\/)/.test(address) && !click?.startsWith(baseUrl))
      wrong.push(`a tap opens ${click}`)
  }
  expect(wrong).toEqual([])
})
