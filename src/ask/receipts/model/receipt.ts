import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { isoTime } from '../../../platform/clock.ts'
import { omitUndefined } from '../../../platform/json.ts'
import { oneOf } from '../../../platform/schema.ts'
import { sha256 } from '../../../platform/signing/sha256.ts'
import { permittedAction } from '../../questions/model/edit.ts'
import { actionOf } from '../../questions/model/key.ts'
import type { Question } from '../../questions/model/question.ts'
import { shownDigests } from '../../questions/model/shown-digests.ts'
import { PasskeySignature } from '../../votes/model/passkey-signature.ts'
import { needOf } from '../../votes/model/requirement.ts'

const text = Type.String()
const maybe = Type.Optional(text)
const closed = { additionalProperties: false } as const

const person = Type.Object({ id: text, name: maybe }, closed)
/** The name of a device when it was used, and whose it was: that does not prove who used it. */
const onDevice = { id: text, label: text, person: Type.Optional(person) }

/** The decider, in receipts of version 1. `program` also stood for links and buttons. */
const FirstDecider = Type.Union([
  Type.Object({ kind: Type.Literal('person'), id: text, name: maybe }, closed),
  Type.Object({ kind: oneOf(['rule', 'grant']), id: text, words: text }, closed),
  Type.Object({ kind: Type.Literal('chat'), name: text }, closed),
  Type.Object({ kind: Type.Literal('program') }, closed),
])

/**
 * `device`: a button of a message that only this device was sent; `link`: a link that was sent to it;
 * `chat`: a person without an account here, and the channel; `program`: a token that answered test
 * traffic; `unknown`: an earlier version did not record it.
 */
const Decider = Type.Union([
  Type.Object({ kind: Type.Literal('person'), id: text, name: maybe }, closed),
  Type.Object({ kind: oneOf(['rule', 'grant']), id: text, words: text }, closed),
  Type.Object({ kind: oneOf(['device', 'link']), ...onDevice }, closed),
  Type.Object({ kind: Type.Literal('chat'), name: text, id: maybe, label: maybe }, closed),
  Type.Object({ kind: Type.Literal('program'), id: maybe }, closed),
  Type.Object({ kind: Type.Literal('unknown') }, closed),
])
type Decider = Static<typeof Decider>

/**
 * Several people decided, or one whom a rule names: those whose yes filled a place, or whose no ended
 * it, with what the rules asked for.
 */
const peopleWith = <Proof extends Record<string, TSchema>>(proof: Proof) =>
  Type.Object(
    {
      kind: Type.Literal('people'),
      people: Type.Array(
        Type.Object(
          { id: text, name: text, at: text, surface: maybe, proof: text, ...proof },
          closed,
        ),
      ),
      /** How many had to agree. */
      need: Type.Integer(),
      rules: Type.Array(Type.Object({ id: text, words: text }, closed)),
      /** Whose agent asked, and who therefore did not decide. */
      excluded: Type.Array(text),
    },
    closed,
  )
const People = peopleWith({})
/** With the signatures of their passkeys. */
const Signers = peopleWith({ passkey: Type.Optional(PasskeySignature) })
type Signers = Static<typeof Signers>

/** The content of a receipt; its canonical JSON (RFC 8785) is what is signed. */
const payloadOf = <V extends number, By extends TSchema, Changed extends TSchema>(
  version: V,
  by: By,
  edited: Changed,
) =>
  Type.Object(
    {
      type: Type.Literal('beckon-receipt'),
      version: Type.Literal(version),
      /** The key that signs it. */
      kid: text,
      /** The public address of the server. */
      server: text,
      workspace: Type.Object({ id: text, name: maybe }, closed),
      question: Type.Object(
        {
          id: text,
          type: text,
          askedAt: text,
          agent: maybe,
          tokenId: text,
          /** As in `ShownDigests`. */
          textSha256: text,
          /** In version 1, of the action alone. */
          actionSha256: maybe,
        },
        closed,
      ),
      decision: Type.Object(
        {
          value: text,
          note: maybe,
          at: text,
          /** Where it was given. */
          surface: maybe,
          by,
          /** The yes also held for the rest of the session. */
          forSession: Type.Optional(Type.Literal(true)),
          /** The grant that the yes also gave. */
          grant: Type.Optional(Type.Object({ id: text, length: text }, closed)),
          edited,
        },
        closed,
      ),
      /** The digest of the action that the question named, or (of earlier versions) its permit. */
      actionHash: maybe,
      permitId: maybe,
      /** The policy in force when it was decided; of earlier versions, when it was asked. */
      policy: Type.Object({ deliveryMode: text, waitMs: Type.Integer() }, closed),
      /** Test traffic, which no person has to have seen. */
      test: Type.Optional(Type.Literal(true)),
    },
    closed,
  )

/** The newest version, of votes that passkeys signed. */
export const RECEIPT_VERSION = 5

const values = Type.Object({}, { additionalProperties: true })
/** The arguments that might be changed, and `actionHash`, the digest of the action as it was asked. */
const edited = Type.Object({ actionHash: text, before: values, after: values }, closed)
type Edit = Static<typeof edited>

const none = Type.Optional(Type.Never())

const SecondPayload = payloadOf(2, Decider, none)
/** Of what certain people had to agree to. */
const ThirdPayload = payloadOf(3, People, none)
/** Of a yes with changed arguments. */
const FourthPayload = payloadOf(4, Type.Union([Decider, People]), edited)
const FifthPayload = payloadOf(RECEIPT_VERSION, Signers, Type.Optional(edited))
type NewPayload =
  | Static<typeof SecondPayload>
  | Static<typeof ThirdPayload>
  | Static<typeof FourthPayload>
  | Static<typeof FifthPayload>

export const ReceiptPayload = Type.Union([
  payloadOf(1, FirstDecider, none),
  SecondPayload,
  ThirdPayload,
  FourthPayload,
  FifthPayload,
])
export type ReceiptPayload = Static<typeof ReceiptPayload>

/** A receipt as it is kept and handed on. */
export const Receipt = Type.Object(
  {
    payload: Type.String({ description: 'The signed text: canonical JSON (RFC 8785).' }),
    alg: Type.Literal('Ed25519'),
    kid: Type.String({ description: 'Thumbprint (RFC 7638) of the key.' }),
    signature: Type.String({ description: 'Of the bytes of payload, in base64.' }),
    publicKey: Type.String({ description: 'The key as PEM.' }),
  },
  closed,
)
export type Receipt = Static<typeof Receipt>

export type PolicyInForce = { deliveryMode: string; waitMs: number }

/** The facts beside the question. */
export type Around = {
  kid: string
  server: string
  workspace: string | undefined
  /** The name of the person who answered, or whose device it was. */
  person: string | undefined
  policy: PolicyInForce
}

/** The decision on an answered question; undefined for every other. */
export function receiptPayload(question: Question, around: Around): NewPayload | undefined {
  const people = peopleOf(question)
  const edited = editedOf(question)
  if (people?.people.some(({ passkey }) => passkey)) {
    const payload = payloadBy(question, around, RECEIPT_VERSION, people)
    return payload && (edited ? withEdit(payload, edited) : payload)
  }
  if (edited) {
    const by = people ?? deciderOf(question, around.person)
    const payload = payloadBy(question, around, 4, by)
    return payload && withEdit(payload, edited)
  }
  return people
    ? payloadBy(question, around, 3, people)
    : payloadBy(question, around, 2, deciderOf(question, around.person))
}

function withEdit<P extends { decision: object }>(payload: P, edited: Edit) {
  return { ...payload, decision: { ...payload.decision, edited } }
}

function editedOf(question: Question): Edit | undefined {
  const { edit, edited: after } = question.detail
  if (!edit || !after) return undefined
  return { actionHash: actionOf(question) ?? '', before: edit.values, after }
}

function payloadBy<V extends 2 | 3 | 4 | typeof RECEIPT_VERSION, By>(
  question: Question,
  around: Around,
  version: V,
  by: By,
) {
  const { status, value, endedAt, detail } = question
  if (status !== 'answered' || value === undefined || endedAt === undefined) return undefined
  return omitUndefined({
    type: 'beckon-receipt' as const,
    version,
    kid: around.kid,
    server: around.server,
    workspace: omitUndefined({ id: question.workspaceId, name: around.workspace }),
    question: omitUndefined({
      id: question.id,
      type: question.type,
      askedAt: isoTime(question.createdAt),
      agent: question.agentName,
      tokenId: question.tokenId,
      ...shownDigests(question),
    }),
    decision: omitUndefined({
      value,
      note: question.note,
      at: isoTime(endedAt),
      surface: question.answerSource,
      by,
      forSession: detail.forSession ? (true as const) : undefined,
      grant: detail.granted && { id: detail.granted.id, length: detail.granted.length },
    }),
    actionHash: permittedAction(question),
    policy: { deliveryMode: around.policy.deliveryMode, waitMs: around.policy.waitMs },
    test: question.test ? (true as const) : undefined,
  })
}

function peopleOf({ requirement, detail: { votedBy } }: Question): Signers | undefined {
  if (!requirement || !votedBy) return undefined
  const people = votedBy.map(({ id, name, at, source, proof, passkey }) =>
    omitUndefined({ id, name, at: isoTime(at), surface: source, proof, passkey }),
  )
  const { rules, excluded } = requirement
  return { kind: 'people', people, need: needOf(requirement), rules, excluded }
}

function deciderOf(question: Question, name: string | undefined): Decider {
  const { answeredBy, answeredAs, answeredOn, endedByToken, detail } = question
  if (detail.byRule) return { kind: 'rule', ...pick(detail.byRule) }
  if (detail.byGrant) return { kind: 'grant', ...pick(detail.byGrant) }
  if (answeredOn && answeredOn.kind !== 'chat') {
    const { kind, id, label, personId } = answeredOn
    const person = personId === undefined ? undefined : omitUndefined({ id: personId, name })
    return omitUndefined({ kind, id, label, person })
  }
  if (answeredBy !== undefined) return omitUndefined({ kind: 'person', id: answeredBy, name })
  if (answeredAs !== undefined) {
    const { id, label } = answeredOn ?? {}
    return omitUndefined({ kind: 'chat', name: answeredAs, id, label })
  }
  if (endedByToken !== undefined) return { kind: 'program', id: endedByToken }
  return { kind: question.test ? 'program' : 'unknown' }
}

function pick({ id, words }: { id: string; words: string }) {
  return { id, words }
}

/** The words of the audit trail about a receipt: the SHA-256, in hex, of what is signed. */
export function signedWords({ payload }: { payload: string }): string {
  return `SHA-256 ${sha256(payload)}`
}

/** When the decision was made, according to a signed payload. */
export function decidedAt({ payload }: { payload: string }): number {
  return Date.parse((JSON.parse(payload) as ReceiptPayload).decision.at)
}
