import { hmac, sameText } from '../../platform/signing/hmac.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'

type Whose = { workspaceId: WorkspaceId; personId: PersonId }

// 132 bits cannot be guessed, and are short enough for an address in a message.
const KEY_CHARS = 22
const TOKEN = /^(ws_\w{1,40})\.([\w-]{1,64})\.([\w-]{22})$/

/** The path that stops every message of a person’s watches, without signing in. */
export function stopPath(secret: string, whose: Whose): string {
  const { workspaceId, personId } = whose
  return `/watches/stop/${workspaceId}.${personId}.${keyOf(secret, whose)}`
}

/** Reads the last part of the path; undefined for one that this server did not make. */
export function readStopToken(secret: string, token: string): Whose | undefined {
  const [, workspaceId, personId, key = ''] = TOKEN.exec(token) ?? []
  if (workspaceId === undefined || personId === undefined) return undefined
  const whose = { workspaceId: workspaceId as WorkspaceId, personId }
  return sameText(keyOf(secret, whose), key) ? whose : undefined
}

function keyOf(secret: string, { workspaceId, personId }: Whose): string {
  return hmac(secret, `stop watches ${workspaceId} ${personId}`).slice(0, KEY_CHARS)
}
