import { type WrongField, wrongFields } from '../../../platform/failure.ts'
import type { Reachable } from '../../subscribers/model/connect.ts'
import type { SubscribeInput } from '../../subscribers/model/subscribe-fields.ts'

/** Where a topic's messages are sent: the root of its server (ntfy docs: Publish as JSON). */
export type NtfyTopic = { server: string; topic: string }

/** The credentials for a server with access control: a token, or a name and a password. */
export type NtfyAccess = { accessToken?: string; username?: string; password?: string }

const TOPIC = /^[-\w]{1,64}$/
const PUBLIC_SERVER = 'https://ntfy.sh'
// Characters that are allowed in a header.
const PRINTABLE = /^[\x21-\x7e]+$/

/** The topic of an endpoint; undefined when it is not the address of one. */
export function topicOf(endpoint: string): NtfyTopic | undefined {
  const url = URL.parse(endpoint)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) return undefined
  const topic = url.pathname.slice(1).replace(/\/$/, '')
  return TOPIC.test(topic) ? { server: url.origin, topic } : undefined
}

/** The address of the topic that a person typed: a bare name is a topic of the public server. */
export function topicAddress(typed: string): string {
  if (TOPIC.test(typed)) return `${PUBLIC_SERVER}/${typed}`
  return /^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`
}

/** A name for a topic without one; the topic itself is a secret. */
export function topicLabel(endpoint: string): string {
  return `ntfy on ${URL.parse(endpoint)?.host ?? 'a server'}`
}

/**
 * An ntfy topic that may be reached, with the header that its server wants; `refusal` says why an
 * address may not. Throws `invalid_input` that names the field.
 */
export function readTopic(
  input: SubscribeInput & NtfyAccess,
  refusal: (url: string) => string | undefined,
): Reachable {
  const { endpoint, kind } = input
  const wrong: WrongField[] = []
  const at = topicOf(endpoint)
  const refused = refusal(endpoint)
  if (refused) wrong.push({ field: 'endpoint', must: `cannot be used: ${lowerFirst(refused)}` })
  if (!at && !refused) {
    wrong.push({ field: 'endpoint', must: 'must be a server and a topic: https://ntfy.sh/TOPIC' })
  }
  if (kind !== 'phone') wrong.push({ field: 'kind', must: 'must be phone for an ntfy topic' })
  const authorization = readAuthorization(input, wrong)
  if (!at || wrong.length > 0) throw wrongFields(wrong)
  return { endpoint: `${at.server}/${at.topic}`, keys: undefined, authorization }
}

function readAuthorization(input: NtfyAccess, wrong: WrongField[]): string | undefined {
  const { accessToken, username = '', password = '' } = input
  if (accessToken !== undefined) {
    if (!PRINTABLE.test(accessToken)) {
      wrong.push({ field: 'accessToken', must: 'must be a token without spaces' })
    }
    if (username || password) {
      wrong.push({ field: 'accessToken', must: 'cannot go together with a user name' })
    }
    return `Bearer ${accessToken}`
  }
  if (!username && !password) return undefined
  if (!username) wrong.push({ field: 'username', must: 'is required with a password' })
  if (!password) wrong.push({ field: 'password', must: 'is required with a user name' })
  if (username.includes(':')) wrong.push({ field: 'username', must: 'cannot hold a colon' })
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** Continues a sentence that begins with a field's name; the caller adds the full stop. */
function lowerFirst(sentence: string): string {
  return (sentence.charAt(0).toLowerCase() + sentence.slice(1)).replace(/\.$/, '')
}
