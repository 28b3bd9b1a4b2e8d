import type { Read } from '../../../platform/db/database.ts'
import { cutText } from '../../../platform/text.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { Targeting } from '../../wire/targeting.ts'
import { anySubscriber, matchSubscribers } from './store.ts'

/** A target that no device matches. */
export type Unmatched = {
  targeting: Targeting
  /** The call named it; otherwise the workspace's policy or a rule did. */
  byCall: boolean
}

/**
 * Returns true if `targeting` names devices and none matches, although some are connected. False
 * without any device: then connecting one comes first.
 */
export async function matchesNothing(
  read: Read,
  workspaceId: WorkspaceId,
  targeting: Targeting,
): Promise<boolean> {
  if (termsOf(targeting).length === 0) return false
  if ((await matchSubscribers(read, workspaceId, targeting)).length > 0) return false
  return await anySubscriber(read, workspaceId)
}

// Enough to find a typo; a list of a thousand is not repeated whole.
const NAMED_MAX = 5
const TERM_MAX = 40

/** "No device has the tag wrok", for the agent that named it: a few terms at most, each cut. */
export function noDeviceHas(targeting: Targeting): string {
  const terms = termsOf(targeting)
  const descriptions = terms
    .slice(0, NAMED_MAX)
    .map(([what, term]) => `the ${what} ${visible(term)}`)
  const more = terms.length - descriptions.length
  if (more > 0) descriptions.push(more === 1 ? 'one other' : `${more} others`)
  const last = descriptions.pop() ?? ''
  return descriptions.length === 0
    ? `No device has ${last}`
    : `No device has ${descriptions.join(', ')} or ${last}`
}

/** Advises what to do about it: the fields that the call can leave out, or who chose the target. */
export function elsewhere({ targeting, byCall }: Unmatched): string {
  if (!byCall) {
    return 'This workspace chose that target; its owner corrects it.'
  }
  const fields = [...new Set(termsOf(targeting).map(([, , field]) => field))]
  return `Without ${fields.join(' and ')} it goes to every device.`
}

type Term = [what: string, term: string, field: keyof Targeting]

function termsOf({ tags = [], externalIds = [], subscriberIds = [] }: Targeting): Term[] {
  return [
    ...tags.map((tag): Term => ['tag', tag, 'tags']),
    ...externalIds.map((id): Term => ['external id', id, 'externalIds']),
    ...subscriberIds.map((id): Term => ['id', id, 'subscriberIds']),
  ]
}

const PLAIN = /^[\p{L}\p{N}_.:@/+#-]+$/u
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

/** A word as it is; anything else in quotation marks, with invisible characters written out. */
function visible(term: string): string {
  const short = cutText(term, TERM_MAX)
  const excerpt = short === term ? short : `${short}…`
  if (PLAIN.test(short)) return excerpt
  const quoted = JSON.stringify(excerpt)
  return quoted.replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
}
