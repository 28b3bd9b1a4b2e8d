import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'

/** A chat whose messages name their sender reliably. */
export type ChatService = 'telegram' | 'slack'

export const SERVICE_NAMES: Record<ChatService, string> = { telegram: 'Telegram', slack: 'Slack' }

/** An account in a chat that a signed-in person has proven to be theirs. */
export type ChatAccount = {
  service: ChatService
  /** The id of the account at the service. */
  account: string
  workspaceId: WorkspaceId
  personId: PersonId
  /** The name of the account, for people. */
  label: string
  createdAt: number
}

/** The code of a link for an account, which works once; only its hash is stored. */
export type AccountCode = Omit<ChatAccount, 'personId' | 'createdAt'> & {
  hash: string
  /** Who alone may use it, where the chat is somebody's device; null otherwise. */
  personId: PersonId | null
  expiresAt: number
}

/** The meaning of a reply: a typed answer, a yes or no with a note, or what a session does next. */
export type ChatAct = 'text' | 'yes' | 'no' | 'tell'

/** A message of ours whose reply is an answer of this account. */
export type ChatPrompt = {
  ref: string
  account: string
  act: ChatAct
  /** The question, or the session. */
  subject: string
  expiresAt: number
}
