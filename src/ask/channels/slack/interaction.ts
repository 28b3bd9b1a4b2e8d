import { type Static, Type } from '@sinclair/typebox'
import { Failure } from '../../../platform/failure.ts'
import { shape } from '../../../platform/schema.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { FORM_ID, type FormState } from './form.ts'
import {
  type Choice,
  LINK_ACTION,
  readButton,
  readPlace,
  readTellPlace,
  readWorkspace,
  type SlackPlace,
  TELL_ACTION,
  type TellPlace,
} from './place.ts'

/** A person in Slack as the audit trail names them: the name may change, the id does not. */
export type SlackUser = {
  id: string
  shown: string
  /** With its workspace in Slack: ids of two workspaces may be the same. */
  account: string | undefined
}

/** The action of a person in Slack; `other` is ignored. */
export type Interaction =
  | {
      kind: 'press'
      place: SlackPlace
      choice: Choice
      user: SlackUser
      triggerId: string | undefined
      responseUrl: string | undefined
    }
  | {
      kind: 'tell'
      place: TellPlace
      text: string
      user: SlackUser
      responseUrl: string | undefined
    }
  | {
      kind: 'link'
      workspaceId: WorkspaceId
      channel: string
      user: SlackUser
      responseUrl: string | undefined
    }
  | { kind: 'form'; place: SlackPlace; state: FormState; user: SlackUser }
  | { kind: 'other' }

const text = (most: number) => Type.String({ maxLength: most })
const maybe = (most: number) => Type.Optional(text(most))
const User = Type.Object({
  ...{ id: text(64), username: maybe(200), name: maybe(200) },
  team_id: maybe(64),
})
const Team = Type.Optional(Type.Union([Type.Object({ id: text(64) }), Type.Null()]))
const URL_MAX = 2_000
// Slack's limit for a plain-text input.
const TYPED_MAX = 3_000

const Envelope = Type.Object({ type: text(64) })

const Press = Type.Object({
  user: User,
  team: Team,
  channel: Type.Optional(Type.Union([Type.Object({ id: text(80) }), Type.Null()])),
  trigger_id: maybe(300),
  response_url: maybe(URL_MAX),
  actions: Type.Array(
    Type.Object({
      value: Type.Optional(Type.Union([text(TYPED_MAX), Type.Null()])),
      block_id: maybe(255),
      action_id: maybe(255),
    }),
    { minItems: 1, maxItems: 25 },
  ),
})

const option = Type.Object({ value: text(200) })
const Field = Type.Object({
  value: Type.Optional(Type.Union([text(4_000), Type.Null()])),
  selected_option: Type.Optional(Type.Union([option, Type.Null()])),
  selected_options: Type.Optional(Type.Union([Type.Array(option, { maxItems: 25 }), Type.Null()])),
})
const Submission = Type.Object({
  user: User,
  team: Team,
  view: Type.Object({
    callback_id: text(300),
    private_metadata: text(3_000),
    state: Type.Object({
      values: Type.Record(Type.String(), Type.Record(Type.String(), Field)),
    }),
  }),
})

const [envelope, press, submission] = [shape(Envelope), shape(Press), shape(Submission)]

/**
 * Reads a post of Slack, `payload=…` (docs.slack.dev: interaction payloads). Throws `malformed` for
 * what is not of that form.
 */
export function readInteraction(body: string): Interaction {
  const payload = readPayload(body)
  const { type } = checked(envelope, payload)
  if (type === 'block_actions') return readPress(checked(press, payload))
  if (type === 'view_submission') return readSubmission(checked(submission, payload))
  return { kind: 'other' }
}

function readPayload(body: string): unknown {
  try {
    return JSON.parse(new URLSearchParams(body).get('payload') ?? '')
  } catch {
    throw malformed()
  }
}

function checked<T>(schema: { parse(value: unknown): T }, value: unknown): T {
  try {
    return schema.parse(value)
  } catch (error) {
    if (error instanceof Failure) throw malformed()
    throw error
  }
}

function malformed(): Failure {
  return new Failure('malformed', 'This is not an interaction as Slack sends them.')
}

function readPress(pressed: Static<typeof Press>): Interaction {
  const { actions, trigger_id: triggerId, response_url: responseUrl } = pressed
  const user = readUser(pressed)
  const { action_id: actionId, block_id: blockId = '', value } = actions[0] ?? {}
  if (actionId === TELL_ACTION) {
    const place = readTellPlace(blockId)
    return place ? { kind: 'tell', place, text: value ?? '', user, responseUrl } : { kind: 'other' }
  }
  if (actionId === LINK_ACTION) {
    const workspaceId = readWorkspace(value ?? '')
    const channel = pressed.channel?.id
    if (!workspaceId || !channel) return { kind: 'other' }
    return { kind: 'link', workspaceId, channel, user, responseUrl }
  }
  const button = readButton(value ?? '')
  if (!button) return { kind: 'other' }
  return { kind: 'press', ...button, user, triggerId, responseUrl }
}

function readSubmission(submitted: Static<typeof Submission>): Interaction {
  const { view } = submitted
  const place = readPlace(view.private_metadata)
  if (view.callback_id !== FORM_ID || !place) return { kind: 'other' }
  return { kind: 'form', place, state: view.state.values as FormState, user: readUser(submitted) }
}

const NAME_MAX = 80

function readUser({ user, team }: Pick<Static<typeof Press>, 'user' | 'team'>): SlackUser {
  const { id, username, name, team_id: teamId } = user
  const own = cleanLine(id)
  const workspace = cleanLine(teamId ?? team?.id ?? '')
  const called = cutText(cleanLine(username || name || ''), NAME_MAX)
  const account = workspace && own ? `${workspace}:${own}` : undefined
  return { id: own, shown: called ? `${called} (${own})` : own, account }
}
