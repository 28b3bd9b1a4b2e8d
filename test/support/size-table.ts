import { PUBLICATION_MAX, publicationFor } from '../../src/ask/channels/ntfy/channel.ts'
import { topicOf } from '../../src/ask/channels/ntfy/topic.ts'
import { createWebPush } from '../../src/ask/channels/web-push/channel.ts'
import { PAYLOAD_MAX, payloadFor } from '../../src/ask/channels/web-push/payload.ts'
import { questionMessage } from '../../src/ask/delivery/question-message.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import type { NotificationId, QuestionId } from '../../src/ask/wire/ids.ts'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { aDevice } from './devices.ts'
import { fakeClock } from './fake-clock.ts'
import { aMessage, baseUrl, questionId, quickAnswerSecret, vapid } from './post-office.ts'
import type { PushServer } from './push-server.ts'
import { aQuestion } from './question.ts'

const told = { kind: 'notification', tag: 'n_1', url: '/n/n_1' } as const

/** The message of an approval. */
function asking(detail: Question['detail'], question = 'Run this command?') {
  const { message } = questionMessage(aQuestion('1', { question, detail }))
  const { title, body, asked } = message
  const part = { correlationId: questionId, type: 'confirm', quick: false } as const
  return aMessage({ title, body, question: part, ...(asked ? { asked } : {}) })
}

/** Messages whose sizes docs/delivery.md names. */
export const SIZES = {
  'a question of 24 letters': aMessage(),
  'a question of 500 letters': aMessage({ title: 'x'.repeat(100), body: 'x'.repeat(500) }),
  'a question of 500 Chinese characters': aMessage({ body: '長'.repeat(500) }),
  'a question of 500 emoji': aMessage({ body: '😀'.repeat(500) }),
  'a question of 500 quotation marks': aMessage({ body: '"'.repeat(500) }),
  'a command of 500 characters that publishes': asking({
    action: `${'echo "a"; '.repeat(54)}npm publish`,
  }),
  'an action, a question and a background of 500 emoji each': asking(
    {
      ...{ action: '😀'.repeat(500), context: '😀'.repeat(500) },
    },
    '😀'.repeat(500),
  ),
  'a scope with 40 long paths': asking(
    {
      contract: {
        allowedPaths: Array.from({ length: 40 }, (_, i) => `${i}${'長'.repeat(190)}`),
        ...{ offLimitsPaths: [], doneWhen: '長'.repeat(300) },
      },
    },
    '長'.repeat(400),
  ),
  'a notification of 2,000 Chinese characters': aMessage({ ...told, body: '長'.repeat(2_000) }),
  'the same, with a title of 200 emoji, a link of 550 letters and two pictures': aMessage({
    ...told,
    title: '😀'.repeat(200),
    body: '長'.repeat(2_000),
    url: `https://ci.example/${'a'.repeat(531)}`,
    iconUrl: 'https://ci.example/icon.png',
    imageUrl: 'https://ci.example/image.png',
  }),
}

/** Each as a row: plain and encrypted for Web Push, and published on ntfy; in bytes. */
export async function sizeLines(push: PushServer): Promise<string[]> {
  const clock = fakeClock()
  const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  const common = { clock, vapid, quickAnswerSecret, baseUrl, sessionOf: async () => undefined }
  const channel = createWebPush({ ...common, fetch, vapidSubject: undefined })
  const device = aDevice({ id: 'sub_06fd0a5c1m0123456789abcdef', ...push.subscribe('phone') })
  const topic = topicOf('https://ntfy.example/my-agents')
  if (!topic) throw new Error('no topic')
  const signal = new AbortController().signal
  const lines: string[] = []
  for (const [name, message] of Object.entries(SIZES)) {
    const subjectId = (message.kind === 'question' ? questionId : 'n_1') as
      | QuestionId
      | NotificationId
    const delivery = { message, subjectId, expiresAt: clock.now() + 600_000 }
    const links = { baseUrl, quickAnswerSecret }
    const plain = Buffer.byteLength(payloadFor(delivery, device, { ...links, most: PAYLOAD_MAX }))
    await channel.send(delivery, device, signal)
    const encrypted = push.delivered.at(-1)?.bytes ?? 0
    const ntfy = publicationFor(delivery, device, topic, { ...links, most: PUBLICATION_MAX })
    const sizes = [plain, encrypted, Buffer.byteLength(ntfy)]
    lines.push(`| ${[name, ...sizes.map((size) => size.toLocaleString('en'))].join(' | ')} |`)
  }
  return lines
}
