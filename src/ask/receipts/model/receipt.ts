import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../../platform/clock.ts'
import { omitUndefined } from '../../../platform/json.ts'
import { oneOf } from '../../../platform/schema.ts'
import { actionOf } from '../../questions/model/key.ts'
import type { Question } from '../../questions/model/question.ts'

const said = Type.String()
const maybe = Type.Optional(said)

/** `chat`: a person without an account here; `program`: a token that answered test traffic. */
const Decider = Type.Union([
  Type.Object({ kind: Type.Literal('person'), id: said, name: maybe }),
  Type.Object({ kind: oneOf(['rule', 'grant']), id: said, words: said }),
  Type.Object({ kind: Type.Literal('chat'), name: said }),
  Type.Object({ kind: Type.Literal('program') }),
])
type Decider = Static<typeof Decider>

/** What a receipt says; its canonical JSON (RFC 8785) is what is signed. */
export const ReceiptPayload = Type.Object({
  type: Type.Literal('beckon-receipt'),
  version: Type.Literal(1),
  /** The key that signs it. */
  kid: said,
  /** The public address of the server. */
  server: said,
  workspace: Type.Object({ id: said, name: maybe }),
  question: Type.Object({
    id: said,
    type: said,
    askedAt: said,
    agent: maybe,
    tokenId: said,
    /** SHA-256, in hex, of the question exactly as it was shown. */
    textSha256: said,
    /** The same of the command or change that it was about. */
    actionSha256: maybe,
  }),
  decision: Type.Object({
    value: said,
    note: maybe,
    at: said,
    /** Where it was given. */
    surface: maybe,
    by: Decider,
    /** The yes also held for the rest of the session. */
    forSession: Type.Optional(Type.Literal(true)),
    /** What the yes also allowed for a while. */
    grant: Type.Optional(Type.Object({ id: said, length: said })),
  }),
  /** The digest of the action that the question named, or (of earlier versions) its permit. */
  actionHash: maybe,
  permitId: maybe,
  /** What was in force when it was decided; of earlier versions, when it was asked. */
  policy: Type.Object({ deliveryMode: said, waitMs: Type.Integer() }),
  /** Test traffic, which no person has to have seen. */
  test: Type.Optional(Type.Literal(true)),
})
export type ReceiptPayload = Static<typeof ReceiptPayload>

/** A receipt as it is kept and handed on. */
export const Receipt = Type.Object({
  payload: Type.String({ description: 'The signed text: canonical JSON (RFC 8785).' }),
  alg: Type.Literal('Ed25519'),
  kid: Type.String({ description: 'Thumbprint (RFC 7638) of the key.' }),
  signature: Type.String({ description: 'Of the bytes of payload, in base64.' }),
  publicKey: Type.String({ description: 'The key as PEM.' }),
})
export type Receipt = Static<typeof Receipt>

export type PolicyInForce = { deliveryMode: string; waitMs: number }

/** What is known beside the question. */
export type Around = {
  kid: string
  server: string
  workspace: string | undefined
  /** The name of the person who answered. */
  person: string | undefined
  policy: PolicyInForce
}

/** The decision on an answered question; undefined for every other. */
export function receiptPayload(question: Question, around: Around): ReceiptPayload | undefined {
  const { status, value, endedAt, detail } = question
  if (status !== 'answered' || value === undefined || endedAt === undefined) return undefined
  return omitUndefined({
    type: 'beckon-receipt' as const,
    version: 1 as const,
    kid: around.kid,
    server: around.server,
    workspace: omitUndefined({ id: question.workspaceId, name: around.workspace }),
    question: omitUndefined({
      id: question.id,
      type: question.type,
      askedAt: isoTime(question.createdAt),
      agent: question.agentName,
      tokenId: question.tokenId,
      textSha256: sha256(question.question),
      actionSha256: detail.action === undefined ? undefined : sha256(detail.action),
    }),
    decision: omitUndefined({
      value,
      note: question.note,
      at: isoTime(endedAt),
      surface: question.answerSource,
      by: deciderOf(question, around.person),
      forSession: detail.forSession ? (true as const) : undefined,
      grant: detail.granted && { id: detail.granted.id, length: detail.granted.length },
    }),
    actionHash: actionOf(question),
    policy: { deliveryMode: around.policy.deliveryMode, waitMs: around.policy.waitMs },
    test: question.test ? (true as const) : undefined,
  })
}

function deciderOf(question: Question, name: string | undefined): Decider {
  const { answeredBy, answeredAs, detail } = question
  if (answeredBy !== undefined) return omitUndefined({ kind: 'person', id: answeredBy, name })
  if (detail.byRule) return { kind: 'rule', ...pick(detail.byRule) }
  if (detail.byGrant) return { kind: 'grant', ...pick(detail.byGrant) }
  return answeredAs === undefined ? { kind: 'program' } : { kind: 'chat', name: answeredAs }
}

function pick({ id, words }: { id: string; words: string }) {
  return { id, words }
}

/** The words of the audit trail about a receipt: the SHA-256, in hex, of what is signed. */
export function signedWords({ payload }: { payload: string }): string {
  return `SHA-256 ${sha256(payload)}`
}

function sha256(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}
