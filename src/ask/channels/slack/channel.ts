import type { Clock } from '../../../platform/clock.ts'
import type { Read } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { SessionAccess } from '../../delivery/channel-module.ts'
import type { Channel, Delivery, DeliveryReceipt } from '../../delivery/model/channel.ts'
import type { Question } from '../../questions/model/question.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import type { SubjectId } from '../../wire/ids.ts'
import { openQuestion, postedQuestion } from '../posted-question.ts'
import type { Slack, SlackMethod } from './api.ts'
import { blocksFor, endWords, outcomeBlocks } from './blocks.ts'
import { channelOf } from './place.ts'
import { messageAt, receiptOf } from './refusals.ts'
import { fallback } from './text.ts'

/** A question with the name of who ended it. */
type About = { question: Question; who: string | undefined }

export type SlackChannelOptions = {
  slack: Slack
  read: Read
  clock: Clock
  baseUrl: string
  about(workspaceId: WorkspaceId, subject: SubjectId): Promise<About | undefined>
  sessionOf: SessionAccess['ofMessage']
}

const FALLBACK_MAX = 2_000

/** Channels and people of a Slack workspace (docs.slack.dev: chat.postMessage, chat.update). */
export function createSlackChannel(options: SlackChannelOptions): Channel {
  const { slack, read, clock, baseUrl, about, sessionOf } = options

  async function call(method: SlackMethod, input: object, signal: AbortSignal) {
    return slack.call(method, { ...PLAINLY, ...input }, { signal, now: clock.now() })
  }

  async function post(
    delivery: Delivery,
    device: Subscriber,
    signal: AbortSignal,
  ): Promise<DeliveryReceipt> {
    const channel = channelOf(device.endpoint)
    if (!channel) return { outcome: 'refused', status: 0, reason: NO_CHANNEL }
    const { message } = delivery
    const posted = message.edit ? await openQuestion(read, delivery, device) : undefined
    if (posted && 'receipt' in posted) return posted.receipt
    const [method, at] = posted
      ? (['chat.update', messageAt(posted.ref)] as const)
      : (['chat.postMessage', { channel }] as const)
    const context = await about(device.workspaceId, delivery.subjectId)
    const question = context?.question
    const place = question && { questionId: question.id, subscriberId: device.id }
    const text = fallback(`${message.title}: ${message.body}`, FALLBACK_MAX)
    const session = await sessionOf(delivery, device.workspaceId)
    const tell = session && { session, subscriberId: device.id }
    const telling = { message, question, place, tell, baseUrl }
    const write = (bare: boolean) =>
      call(method, { ...at, text, blocks: blocksFor({ ...telling, bare }) }, signal)
    const reply = await write(false)
    const ill = reply.outcome === 'refused' && ILL_FORMED.has(reply.error)
    return receiptOf(ill ? await write(true) : reply)
  }

  /** Takes the question's place; `later` while that is still on its way. */
  async function replace(
    delivery: Delivery,
    device: Subscriber,
    signal: AbortSignal,
  ): Promise<DeliveryReceipt> {
    const posted = await postedQuestion(read, delivery, device)
    if ('receipt' in posted) return posted.receipt
    const { message, subjectId } = delivery
    const context = await about(device.workspaceId, subjectId)
    const words = context ? endWords(context.question, context.who) : message.title
    const blocks = outcomeBlocks(words, message.body, context?.question.agentName)
    const text = fallback(`${message.title}: ${message.body}`, FALLBACK_MAX)
    const reply = await call('chat.update', { ...messageAt(posted.ref), text, blocks }, signal)
    return receiptOf(reply)
  }

  return {
    transport: 'slack',
    edits: true,
    send: (delivery, device, signal) =>
      delivery.message.kind === 'outcome'
        ? replace(delivery, device, signal)
        : post(delivery, device, signal),
  }
}

/** Nothing in a message is read as markup, linked or unfolded. */
const PLAINLY = {
  parse: 'none',
  link_names: false,
  mrkdwn: false,
  unfurl_links: false,
  unfurl_media: false,
}

/** A picture that Slack cannot fetch makes all blocks invalid. */
const ILL_FORMED = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
])

const NO_CHANNEL = 'The address of the channel is not valid; connect it again.'
