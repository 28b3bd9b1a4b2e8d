import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { wrongFields } from '../../../platform/failure.ts'
import { newId } from '../../../platform/ids.ts'
import type { GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import { cleanLine } from '../../../platform/text.ts'
import { must, type Person } from '../../accounts/model/person.ts'
import { auditStamp } from '../../audit/model/audit.ts'
import { recordChange } from '../../audit/model/store.ts'
import { clearAlarms } from '../../delivery/model/store.ts'
import { readExternalId, readLabel, readTags } from '../../devices/change-device.ts'
import {
  findSubscriberByEndpoint,
  recordSuccess,
  saveSubscriber,
} from '../../subscribers/model/store.ts'
import type { DeviceChanges } from '../../subscribers/model/subscribe-fields.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import { BUTTON_MAX } from './answer-buttons.ts'
import { callSlack, readTeam, type Slack, type SlackReply, type SlackTeam } from './api.ts'
import { dropSlackApp, type SlackSecrets, saveSlackApp } from './app.ts'
import { channelEndpoint, LINK_ACTION } from './place.ts'
import { receiptOf } from './refusals.ts'
import { SLACK_TOKEN_SHAPE } from './settings.ts'
import { plainText } from './text.ts'

export type ConnectSlackDeps = {
  db: Db
  clock: Clock
  slack: Slack
  outside: Pick<GuardedFetch, 'fetch'>
}

/** The state of the token now, according to Slack. */
export type SlackState =
  | { state: 'not_set_up' }
  | ({ state: 'works' } & SlackTeam)
  | { state: 'fails'; said: string }

const LOOK_MS = 4_000

/** Asks Slack whether the token works (`auth.test`), a few seconds at most. */
export async function lookAtSlack({ slack, clock }: Pick<ConnectSlackDeps, 'slack' | 'clock'>) {
  const options = { timeoutMs: LOOK_MS, now: clock.now() }
  return stateOf(await slack.call('auth.test', {}, options))
}

function stateOf(reply: SlackReply): SlackState {
  if (reply.outcome === 'not_set_up') return { state: 'not_set_up' }
  if (reply.outcome === 'done') return { state: 'works', ...readTeam(reply.body) }
  const receipt = receiptOf(reply)
  return { state: 'fails', said: 'reason' in receipt ? receipt.reason : '' }
}

// Characters that are allowed in a header, and in Slack's own secrets.
const SIGNING_SECRET = /^[\x21-\x7e]{8,300}$/

const SHAPES: Readonly<Record<keyof SlackSecrets, { shape: RegExp; must: string }>> = {
  botToken: {
    shape: SLACK_TOKEN_SHAPE,
    must: 'must be copied whole from OAuth & Permissions in Slack; it begins with xoxb-',
  },
  signingSecret: {
    shape: SIGNING_SECRET,
    must: 'must be copied whole from the app’s settings in Slack',
  },
}

/**
 * Keeps the secrets of a Slack app once Slack has taken the token. Throws `forbidden`, and
 * `invalid_input` that names the field; nothing was kept then.
 */
export async function saveSlack(
  deps: ConnectSlackDeps,
  person: Person,
  secrets: SlackSecrets,
): Promise<SlackTeam> {
  must(person, 'slack')
  const { db, clock, slack, outside } = deps
  const { botToken, signingSecret } = secrets
  const wrong = (['botToken', 'signingSecret'] as const)
    .filter((field) => !SHAPES[field].shape.test(secrets[field]))
    .map((field) => ({ field, must: SHAPES[field].must }))
  if (wrong.length > 0) throw wrongFields(wrong)
  const now = clock.now()
  const app = { ...(await slack.app()), botToken }
  const reply = await callSlack(outside.fetch, app, 'auth.test', {}, { timeoutMs: LOOK_MS, now })
  const slackState = stateOf(reply)
  if (slackState.state !== 'works') {
    const reason = slackState.state === 'fails' ? slackState.said : ''
    throw wrongFields([{ field: 'botToken', must: `does not work: ${reason.replace(/\.$/, '')}` }])
  }
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    await saveSlackApp(tx, { botToken, signingSecret }, now)
    await clearAlarms(tx, [new URL(app.apiUrl).origin])
    await recordChange(tx, stamp, { ...by(person), subjectName: slackState.team, detail: 'saved' })
  })
  return slackState
}

/** Forgets the secrets; the channels stay in the list, silent. Throws `forbidden`. */
export async function removeSlack(deps: ConnectSlackDeps, person: Person): Promise<void> {
  must(person, 'slack')
  const { apiUrl } = await deps.slack.app()
  const stamp = auditStamp(deps.clock.now())
  await deps.db.write(async (tx) => {
    await dropSlackApp(tx)
    await clearAlarms(tx, [new URL(apiUrl).origin])
    await recordChange(tx, stamp, { ...by(person), detail: 'removed' })
  })
}

function by({ workspaceId, id: personId, name: personName }: Person) {
  return { workspaceId, kind: 'slack.changed', personId, personName } as const
}

/**
 * Posts a first message to a channel or person, and makes them a device once it has arrived. A
 * channel that is connected again keeps its tags and external id unless new ones are given. Throws
 * `forbidden`, and `invalid_input` with Slack's error.
 */
export async function connectChannel(
  deps: ConnectSlackDeps,
  person: Person,
  input: { channel: string; label: string } & Pick<DeviceChanges, 'tags' | 'externalId'>,
): Promise<Subscriber> {
  must(person, 'slack')
  const tags = input.tags && readTags(input.tags)
  const label = cleanLine(input.label) && readLabel(input.label)
  const externalId = readExternalId(input.externalId ?? '') ?? undefined
  const { db, clock, slack } = deps
  const channelId = readChannel(input.channel)
  if (!channelId) throw wrongFields([{ field: 'channel', must: MUST_BE }])
  const now = clock.now()
  const blocks = [{ type: 'section', text: plainText(HELLO, 300) }, linkButton(person)]
  const reply = await slack.call(
    'chat.postMessage',
    { channel: channelId, text: HELLO, blocks },
    { now },
  )
  const channel = reply.outcome === 'done' ? reply.body.channel : undefined
  if (typeof channel !== 'string' || !/^[\w-]{1,80}$/.test(channel)) {
    const receipt = receiptOf(reply)
    const reason = 'reason' in receipt ? receipt.reason : 'Slack did not say where it posted'
    throw wrongFields([
      { field: 'channel', must: `cannot be reached: ${reason.replace(/\.$/, '')}` },
    ])
  }
  const { apiUrl } = await slack.app()
  const endpoint = channelEndpoint(apiUrl, channel)
  const existing = await findSubscriberByEndpoint(db.read, person.workspaceId, endpoint)
  const candidate: Subscriber = {
    ...deviceOf(person, endpoint, label || nameOf(channelId), now),
    tags: tags ?? existing?.tags ?? [],
    externalId: externalId ?? existing?.externalId,
  }
  const stamp = auditStamp(now)
  return db.write(async (tx) => {
    const saved = await saveSubscriber(tx, candidate)
    await recordSuccess(tx, [saved.id], now)
    if (saved.id === candidate.id) {
      const subject = { subjectId: saved.id, subjectName: saved.label, detail: 'chat' }
      await recordChange(tx, stamp, { ...by(person), kind: 'device.connected', ...subject })
    }
    tx.emit('subscriber', person.workspaceId)
    return saved
  })
}

function linkButton({ workspaceId }: Person) {
  const text = plainText('Link your account', BUTTON_MAX)
  const button = { type: 'button', action_id: LINK_ACTION, text, value: workspaceId }
  return { type: 'actions', elements: [button] }
}

const HELLO = 'Beckon is connected: what agents ask and tell appears here.'
const MUST_BE =
  'must be #name, the id of a channel or person (C… or U…), or the link that Slack copies'

/** `#ops`, `C0123ABC`, `U0123ABC`, or `https://acme.slack.com/archives/C0123ABC`. */
function readChannel(typed: string): string | undefined {
  const text = cleanLine(typed)
  const linked = /^https:\/\/\S+\/(?:archives|team)\/([A-Z0-9]{2,40})(?:[/?#]\S*)?$/.exec(text)?.[1]
  if (linked) return linked
  return /^(#[^\s#<>&]{1,80}|[CGDUW][A-Z0-9]{2,40})$/.test(text) ? text : undefined
}

function nameOf(channel: string): string {
  return channel.startsWith('#') ? `${channel} on Slack` : `Slack ${channel}`
}

function deviceOf(person: Person, endpoint: string, label: string, now: number): Subscriber {
  return {
    id: newId('sub', now),
    workspaceId: person.workspaceId,
    // A channel is the workspace's, whoever connected it.
    personId: undefined,
    kind: 'chat',
    transport: 'slack',
    endpoint,
    keys: undefined,
    label,
    externalId: undefined,
    tags: [],
    userAgent: undefined,
    createdAt: now,
    lastSuccessAt: undefined,
    lastErrorAt: undefined,
    lastError: undefined,
    lastShownAt: undefined,
    lastOpenedAt: undefined,
  }
}
