/** @jsxImportSource preact */

import MailComposer from 'nodemailer/lib/mail-composer'
import { render } from 'preact-render-to-string'
import { randomText } from '../../../platform/ids.ts'
import { cleanLine, cleanText, cutText } from '../../../platform/text.ts'
import type { Delivery, Message } from '../../delivery/model/channel.ts'
import { answerLinkOf, type LinkFor } from '../../delivery/shorten.ts'

type About = LinkFor & { from: string; to: string }

const SUBJECT_MAX = 200
const BODY_MAX = 10_000
const TEST_ID_CHARS = 16

/** One mail as it is sent (RFC 5322): plain text, and the same as HTML. */
export function writeMail(delivery: Delivery, about: About): Promise<Buffer> {
  const { message } = delivery
  const { from, to, baseUrl } = about
  const words: MailTexts = {
    title: cutText(cleanLine(message.title), SUBJECT_MAX) || 'Beckon',
    body: cutText(cleanText(message.body), BODY_MAX),
    link: answerLinkOf(message, about),
    doing: message.question ? 'Read and answer' : 'Open',
    devices: `${baseUrl}/settings/devices`,
    stop: message.stop === undefined ? undefined : `${baseUrl}${message.stop}`,
  }
  const { id, earlier } = threadOf(delivery, about)
  const mail = new MailComposer({
    from: { name: 'Beckon', address: from },
    to: { name: '', address: to },
    subject: words.title,
    text: textOf(words),
    html: `<!doctype html>${render(<MailPage {...words} />)}`,
    messageId: id,
    ...(earlier === undefined ? {} : { inReplyTo: earlier, references: [earlier] }),
    ...(message.urgency === 'high' ? { priority: 'high' as const } : {}),
    headers: {
      // No out-of-office notice answers it (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      // Pages ask before they stop anything: programs open these addresses as well. A mail program
      // that knows it sends the form itself (RFC 8058).
      'List-Unsubscribe': { prepared: true, value: `<${words.stop ?? words.devices}>` },
      ...(words.stop ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
    },
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return mail.compile().build()
}

type MailTexts = {
  title: string
  body: string
  link: string
  doing: string
  devices: string
  stop: string | undefined
}

function textOf({ title, body, link, doing, devices }: MailTexts): string {
  return `${title}\n\n${body}\n\n${doing}:\n${link}\n\n--\n${WHY}\n${devices}\n`
}

const WHY = 'You get this because you added e-mail to your devices. To stop it, remove it there:'

function MailPage({ title, body, link, doing, devices }: MailTexts) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
      </head>
      <body style="font-family:sans-serif;line-height:1.5;max-width:40em">
        <h1 style="font-size:1.2em">{title}</h1>
        <p style="white-space:pre-wrap;overflow-wrap:anywhere">{body}</p>
        <p>
          <a href={link} style="font-weight:bold">
            {doing}
          </a>
        </p>
        <p style="font-size:0.85em">
          {WHY} <a href={devices}>Devices</a>
        </p>
      </body>
    </html>
  )
}

const PLAIN_TAG = /^[-\w]{1,80}$/

/** Returns the id of the mail, the same in each attempt, and that of the mail it belongs to. */
function threadOf({ message, subjectId }: Delivery, { baseUrl, deviceId }: About) {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  const idOf = (subject: string, kind: Message['kind']) =>
    `<${subject}.${kind}.${deviceId}@${host}>`
  const { kind, tag } = message
  if (kind === 'test') return { id: idOf(randomText(TEST_ID_CHARS), kind), earlier: undefined }
  const id = idOf(subjectId, kind)
  if (kind === 'outcome') return { id, earlier: idOf(subjectId, 'question') }
  const isLater = kind === 'notification' && tag !== subjectId && PLAIN_TAG.test(tag)
  return { id, earlier: isLater ? idOf(tag, kind) : undefined }
}
