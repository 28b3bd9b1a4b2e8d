import type { AnyElysia } from 'elysia'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db, Read } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/db/secrets.ts'
import type { Log } from '../../platform/log.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import type { Person } from '../accounts/model/person.ts'
import type { Check } from '../check.ts'
import type { Page } from '../pages/page.ts'
import type { First } from '../questions/end-question.ts'
import type { AnsweredOn, Question } from '../questions/model/question.ts'
import type { AgentSessionId } from '../sessions/model/session.ts'
import type { SettingsRow } from '../settings-row.ts'
import type { DeviceChannel } from '../subscribers/model/connect.ts'
import type { Subscriber } from '../subscribers/model/subscriber.ts'
import type { AnswerSource } from '../wire/question-fields.ts'
import type { Channel, Delivery } from './model/channel.ts'

/** The parts that every channel is built with. */
export type ChannelContext = {
  config: Config
  db: Db
  clock: Clock
  log: Log
  secrets: Secrets
  outside: GuardedFetch
  questions: QuestionAccess
  sessions: SessionAccess
  /** Names this process among those that share the database. */
  holder: string
}

/** The actions of a channel on a question. */
export type QuestionAccess = {
  /** Answers it; `won` is false if the answer came too late. Throws `invalid_input`. */
  answer(answer: ChannelAnswer): Promise<{ won: boolean; question: Question }>
  /** The name of one of our people, or of a person in a chat as the chat names them. */
  whoEnded(question: Question): Promise<string | undefined>
}

/** What a person in a chat tells sessions to do next. */
export type SessionAccess = {
  /** The session that a message is a notification of, if it takes instructions. */
  ofMessage(
    delivery: Pick<Delivery, 'message' | 'subjectId'>,
    workspaceId: WorkspaceId,
  ): Promise<AgentSessionId | undefined>
  /** Throws `invalid_input`, `not_found`, and `conflict` while another one waits. */
  instruct(
    person: Person,
    session: AgentSessionId,
    draft: { text: string; via: 'telegram' | 'slack' },
  ): Promise<void>
}

type ChannelAnswer = {
  workspaceId: WorkspaceId
  questionId: Question['id']
  value: string | string[]
  note?: string | undefined
  source: AnswerSource
  /** The person, where their account is linked to them. */
  by?: PersonId | undefined
  /** The name of the person in the chat. */
  as: string
  /** The chat that they answered in. */
  on: AnsweredOn
  /** Checks in the transaction of the answer that it still is theirs. */
  first?: First
}

/** The parts that the doctor hands to a channel; the server need not be running. */
export type CheckContext = {
  config: Config
  clock: Clock
  fetch: GuardedFetch['fetch']
  /** For services other than web servers. */
  addressesOf: GuardedFetch['addressesOf']
  read: Read
  /** The devices of all channels. */
  devices: readonly Subscriber[]
}

/** A way to reach people: a folder beside this file, and one line in `channels.ts`. */
export type ChannelModule = DeviceChannel & {
  /**
   * Returns true if the server is set up for the channel; otherwise nothing new can be connected.
   */
  isSetUp?(config: Config): boolean
  create(context: ChannelContext): Channel
  /** Runs once when the server starts. */
  begin?(context: ChannelContext): Promise<void>
  /**
   * Starts work beside the server that ends when it is disposed; `report` is called with errors.
   */
  job?(context: ChannelContext, report: (error: unknown) => void): AsyncDisposable
  /** Returns the routes that the channel's service calls. */
  routes?(context: ChannelContext): Promise<AnyElysia>
  /** The channel's own page under the settings. */
  settings?: {
    /** Returns its row of the settings page. */
    row(context: ChannelContext): SettingsRow
    /** The page, and what its forms post to. */
    pages(context: ChannelContext): Promise<Page[]>
  }
  /** Checks the channel for `beckon doctor` and the page of health. */
  check?(context: CheckContext): Promise<Check[]>
  /** The kind of an alarm that `check` reports itself, so that it is not reported twice. */
  ownAlarm?: string
}

/**
 * The module without its form while the channel is not set up: nothing new can be connected, and
 * devices connected before say why they fail.
 */
export function connectable(channel: ChannelModule, config: Config): ChannelModule {
  if (!channel.connect || (channel.isSetUp?.(config) ?? true)) return channel
  const { connect: _, ...rest } = channel
  return rest
}
