import { expect, test } from 'bun:test'
import { writeMail } from '../../../../src/ask/channels/email/write-mail.tsx'
import type { Message } from '../../../../src/ask/delivery/model/channel.ts'
import type { NotificationId } from '../../../../src/ask/wire/ids.ts'
import { CORPUS } from '../../../support/hostile-corpus.ts'
import { aMessage, baseUrl, questionId, quickAnswerSecret } from '../../../support/post-office.ts'

const about = {
  from: 'beckon@example.com',
  to: 'ada@example.com',
  baseUrl,
  quickAnswerSecret,
  deviceId: 'sub_mail' as const,
}

async function written(
  more: Partial<Message> = {},
  subjectId: typeof questionId | NotificationId = questionId,
) {
  const delivery = { message: aMessage(more), subjectId, expiresAt: 10 ** 14 }
  const raw = (await writeMail(delivery, about)).toString()
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const headers = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const header = (name: string) =>
    headers.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  return { raw, headers, header, rest: rest.join('\r\n\r\n') }
}

/** The HTML part, as a mail program reads it. */
function htmlIn(raw: string): string {
  const part = raw.slice(raw.lastIndexOf('Content-Type: text/html'))
  const [head = '', ...rest] = part.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  if (head.includes('base64')) return Buffer.from(body, 'base64').toString()
  return body.replace(/=\r\n/g, '').replaceAll('=3D', '=')
}

test('a question has a subject, both kinds of text, and its link in each', async () => {
  const { header, rest } = await written()
  expect(header('Subject')).toBe('Claude Code asks')
  expect([header('From'), header('To')]).toEqual(['Beckon <beckon@example.com>', 'ada@example.com'])
  expect(header('Auto-Submitted')).toBe('auto-generated')
  expect(header('List-Unsubscribe')).toBe(`<${baseUrl}/settings/devices>`)
  expect(header('Content-Type')).toStartWith('multipart/alternative')
  const whole = rest.replace(/=\r\n/g, '').replaceAll('=3D', '=')
  expect(whole).toContain('text/plain')
  expect(whole).toContain('text/html')
  expect(whole.match(/May I run the migration\?/g)).toHaveLength(2)
  expect(new Set(whole.match(/https:\/\/beckon\.example\.com\/a\/[\w.-]+/g)).size).toBe(1)
})

test('a later attempt is the same mail, and what belongs together is one thread', async () => {
  const id = (await written()).header('Message-ID')
  expect((await written()).header('Message-ID')).toBe(id as string)
  expect((await written()).header('References')).toBeUndefined()
  const { question: _, ...ended } = aMessage({ kind: 'outcome', title: 'Answered: yes' })
  const outcome = await written({ ...ended, question: undefined as never })
  expect(outcome.header('In-Reply-To')).toBe(id as string)
  expect(outcome.header('References')).toBe(id as string)
  expect(outcome.header('Message-ID')).not.toBe(id as string)
  const news = { kind: 'notification', url: '/n/n_2', tag: 'n_1', question: undefined } as never
  const [first, second] = [await written(news, 'n_1'), await written(news, 'n_2')]
  expect(first.header('References')).toBeUndefined()
  expect(second.header('References')).toBe(first.header('Message-ID') as string)
  const tests = [await written({ kind: 'test' }), await written({ kind: 'test' })]
  expect(new Set(tests.map(({ header }) => header('Message-ID'))).size).toBe(2)
})

test('no text of an agent adds a header, a recipient, a part or markup', async () => {
  const { headers: usual } = await written()
  const names = (lines: string[]) => lines.map((line) => /^[\w-]+/.exec(line)?.[0]).sort()
  const injections = [
    'a\r\nBcc: eve@example.com',
    'a\nBcc: eve@example.com\n\nbody',
    'a\rBcc: eve@example.com',
    '=?utf-8?q?a=0D=0ABcc:_eve=40example.com?=',
    '\r\n.\r\nMAIL FROM:<eve@example.com>',
    '<img src="https://eve.example/x"><script>alert(1)</script>',
    ...CORPUS,
  ]
  for (const text of injections) {
    const { headers, raw } = await written({ title: text, body: text, tag: text })
    expect([text, names(headers)]).toEqual([text, names(usual)])
    const html = htmlIn(raw)
    expect(html).not.toMatch(/<(img|script|iframe|svg)/i)
    expect(html.match(/<a /g)).toHaveLength(2)
    expect(raw).not.toMatch(/[^\r]\n|\r[^\n]/)
    // Lines are as short as every server takes them (RFC 5322, 2.1.1).
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
  }
})

test('a link of another site is opened by a page of ours, and a long text ends', async () => {
  const away = await written({
    kind: 'notification',
    url: 'https://evil.example/x',
    page: '/n/n_1',
    question: undefined as never,
    body: '長'.repeat(50_000),
  })
  expect(away.raw).not.toContain('evil.example')
  expect(away.raw.length).toBeLessThan(200_000)
})
