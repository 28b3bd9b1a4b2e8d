import type { MessageParts } from '../../questions/model/message-parts.ts'
import type { QuestionType } from '../../questions/model/question.ts'

/** What a device is sent, whatever the channel; plain text only, never the action body. */
export type Message = {
  kind: 'question' | 'notification' | 'outcome' | 'test'
  title: string
  body: string
  /**
   * Messages with the same tag replace each other on the device: the id of the question, or of the
   * first notification of a group.
   */
  tag: string
  /** Path on this server, or an absolute URL, that a tap opens. */
  url: string
  /** The page of this server that shows `url`, for urls that are too long or on another site. */
  page?: string
  urgency: 'high' | 'normal'
  /** Told to the next person because nobody answered; counted apart from the first message. */
  failover?: true
  /** Replaces another message without a sound. */
  quiet?: true
  /** The same message as one sent before, for a device that has not had it; never counted. */
  again?: true
  /** A reminder, sent because nobody answered. */
  reminder?: true
  iconUrl?: string
  imageUrl?: string
  question?: {
    correlationId: string
    type: QuestionType
    /** Can be answered from the notification itself; otherwise a tap must open the page. */
    quick: boolean
  }
  /**
   * The parts of `body`, for channels with less room for it or with separate places for the parts.
   */
  asked?: MessageParts
}
