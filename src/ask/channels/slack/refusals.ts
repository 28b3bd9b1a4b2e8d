import { cleanLine, cutText } from '../../../platform/text.ts'
import type { DeliveryReceipt } from '../../delivery/model/channel.ts'
import type { SlackReply } from './api.ts'

/** Interprets Slack's answer for one message (docs/delivery.md). */
export function receiptOf(reply: SlackReply): DeliveryReceipt {
  switch (reply.outcome) {
    case 'done':
      return { outcome: 'accepted', status: reply.status, ...refOf(reply.body) }
    case 'later':
      return reply
    case 'blocked':
      return { outcome: 'refused', status: 0, reason: reply.reason, alarm: BLOCKED }
    case 'not_set_up':
      return { outcome: 'refused', status: 0, reason: NOT_SET_UP }
    case 'refused': {
      const reason = refusalWords(reply)
      const alarm = Object.hasOwn(SET_UP, reply.error) ? { alarm: reason } : {}
      return { outcome: 'refused', status: reply.status, reason, ...alarm }
    }
  }
}

/** The reason and what to do about it, in a sentence or two, with Slack's error code. */
function refusalWords(reply: Extract<SlackReply, { outcome: 'refused' }>): string {
  const { error, needed } = reply
  const explanation = KNOWN.get(error)
  const word = cutText(cleanLine(error), 60)
  if (!explanation) return `Slack refused the message (${word}).`
  const scope = needed ? ` It wants ${cutText(cleanLine(needed), 60)}.` : ''
  return `${explanation[0]} (${word}).${scope} ${explanation[1]}`
}

type SlackError = readonly [what: string, cure: string]

const NEW_TOKEN =
  'Install the app again in Slack, and save its new bot token under Settings, Slack.'
const ASK_ADMIN = 'Somebody who administers the Slack workspace has to allow the app.'
const SCOPES =
  'Add it in the app’s settings under OAuth & Permissions, install the app again, and save its new bot token.'
const ACCOUNT = 'Slack does not accept the bot token any more'
const ADMIN = 'The Slack workspace does not let the app in'
const SCOPE = 'The Slack app lacks a permission'

/** The server's own set-up is wrong: every channel fails until it is corrected. */
const SET_UP: Record<string, SlackError> = {
  not_authed: [ACCOUNT, NEW_TOKEN],
  invalid_auth: [ACCOUNT, NEW_TOKEN],
  account_inactive: [ACCOUNT, NEW_TOKEN],
  token_revoked: [ACCOUNT, NEW_TOKEN],
  token_expired: [ACCOUNT, NEW_TOKEN],
  not_allowed_token_type: ['This is not a bot token', 'Save the one that begins with xoxb-.'],
  missing_scope: [SCOPE, SCOPES],
  no_permission: [SCOPE, SCOPES],
  access_denied: [ADMIN, ASK_ADMIN],
  accesslimited: [ADMIN, ASK_ADMIN],
  ekm_access_denied: [ADMIN, ASK_ADMIN],
  enterprise_is_restricted: [ADMIN, ASK_ADMIN],
  org_login_required: [ADMIN, ASK_ADMIN],
  team_access_not_granted: [ADMIN, ASK_ADMIN],
  no_slack: [
    'What answered is not Slack',
    'Check BECKON_SLACK_API_URL, and what stands between this server and Slack.',
  ],
}

const INVITE = 'Write /invite @ and the name of the app in the channel, or connect another one.'
const CONNECT_ANEW = 'Connect another channel under Settings, Slack, and remove this one.'
const READ_ONLY = 'The channel lets only some people post'

/** Only this channel or person cannot be reached. */
const OF_CHANNEL: Record<string, SlackError> = {
  channel_not_found: ['Slack knows no such channel, or the app is not in it', INVITE],
  not_in_channel: ['The app is not in the channel', INVITE],
  is_archived: ['The channel is archived', CONNECT_ANEW],
  is_inactive: ['The channel is frozen', CONNECT_ANEW],
  user_not_found: ['Slack knows no such person', CONNECT_ANEW],
  user_disabled: ['The person’s account was deactivated', CONNECT_ANEW],
  cannot_dm_bot: ['This is another app rather than a person', CONNECT_ANEW],
  messages_tab_disabled: [
    'The app takes no direct messages',
    'Turn on the Messages tab in the app’s settings under App Home.',
  ],
  restricted_action: [READ_ONLY, 'Let the app post there, or connect another channel.'],
  restricted_action_read_only_channel: [READ_ONLY, CONNECT_ANEW],
  restricted_action_non_threadable_channel: [READ_ONLY, CONNECT_ANEW],
  message_not_found: ['The message was deleted in Slack', 'There is nothing to do.'],
  cant_update_message: ['The message cannot be changed any more', 'There is nothing to do.'],
  edit_window_closed: ['The message cannot be changed any more', 'There is nothing to do.'],
}

const KNOWN = new Map([...Object.entries(SET_UP), ...Object.entries(OF_CHANNEL)])

const NOT_SET_UP =
  'No Slack app is set up on this server any more. Save its bot token under Settings, Slack.'
const BLOCKED =
  'This server must not reach the address of the Slack API. Name its host in BECKON_ALLOW_PRIVATE_HOSTS, or correct BECKON_SLACK_API_URL.'

/** `CHANNEL TS`, which chat.update needs; a person's own channel is only known from the answer. */
function refOf({ channel, ts }: Record<string, unknown>): { ref?: string } {
  if (typeof channel !== 'string' || typeof ts !== 'string') return {}
  return { ref: `${channel} ${ts}` }
}

/** The message that a reference names. */
export function messageAt(ref: string): { channel: string; ts: string } {
  const [channel = '', ts = ''] = ref.split(' ')
  return { channel, ts }
}
