import type { MessageParts } from '../../questions/model/message-parts.ts'
import type { QuestionType } from '../../questions/model/question.ts'

/** What a device is told, whatever the channel; plain text only, never the action body. */
export type Message = {
  kind: 'question' | 'notification' | 'outcome' | 'test'
  title: string
  body: string
  /**
   * Messages with one tag replace each other on the device: the id of the question, or of the
   * first notification of a story.
   */
  tag: string
  /** Path on this server, or an absolute URL, that a tap opens. */
  url: string
  /** The page of this server that shows `url`, for where that is too long or on another site. */
  page?: string
  urgency: 'high' | 'normal'
  /** Takes another message's place without a sound. */
  quiet?: true
  iconUrl?: string
  imageUrl?: string
  question?: {
    correlationId: string
    type: QuestionType
    /** May be answered from the notification itself; otherwise a tap must open the page. */
    quick: boolean
  }
  /** What `body` is made of, for a channel with less room for it or with places for its parts. */
  asked?: MessageParts
}
