import { Value } from '@sinclair/typebox/value'
import canonicalize from 'canonicalize'
import { repeatsMembers } from '../../platform/json.ts'
import { addedMembers } from '../../platform/schema.ts'
import { isSignedBy, readPublicPem, type VerifyKey } from '../../platform/signing/ed25519.ts'
import { cleanLine } from '../../platform/text.ts'
import { checkSignature, originIn } from '../votes/model/passkey-signature.ts'
import type { QuestionId } from '../wire/ids.ts'
import { RECEIPT_VERSION, Receipt, ReceiptPayload } from './model/receipt.ts'

export type VerifiedReceipt =
  | { ok: true; kid: string; payload: ReceiptPayload }
  | { ok: false; why: string }

/**
 * Verifies that `text` is a receipt signed by `trusted`. Without `trusted` it is checked with the
 * key that it carries, which proves that nothing was changed but not whose key it is. Also verifies
 * what passkeys signed. Needs no server.
 */
export async function verifyReceipt(text: string, trusted?: VerifyKey): Promise<VerifiedReceipt> {
  const no = (why: string) => ({ ok: false, why }) as const
  const receipt = parsed(text)
  if (!Value.Check(Receipt, receipt)) return no(whyNoReceipt(receipt))
  if (repeatsMembers(text, receipt)) return no('A member of the receipt is there twice.')
  const own = readPublicPem(receipt.publicKey)
  if (own?.kid !== receipt.kid) return no('The key in the receipt is not the one that it names.')
  if (trusted && trusted.kid !== receipt.kid) {
    return no(`The receipt was signed with the key ${receipt.kid}, not with ${trusted.kid}.`)
  }
  if (!isSignedBy(own, receipt.payload, receipt.signature)) {
    return no('The signature does not fit: the receipt was changed after it was signed.')
  }
  const payload = parsed(receipt.payload)
  if (isNewer(payload)) return no('A newer version of Beckon made the receipt: check it with that.')
  if (!Value.Check(ReceiptPayload, payload) || !isCanonical(payload, receipt.payload)) {
    return no('What is signed is not a receipt.')
  }
  if (payload.kid !== receipt.kid) return no('What is signed names another key.')
  const signer = await wrongSigner(payload)
  if (signer !== undefined) {
    return no(`The passkey of ${signer} did not sign this: not this question, answer or person.`)
  }
  return { ok: true, kid: receipt.kid, payload }
}

/** The first person whose passkey did not sign what the receipt says. */
async function wrongSigner({ server, question, decision }: ReceiptPayload) {
  if (decision.by.kind !== 'people') return undefined
  const { textSha256, actionSha256 } = question
  const questionId = question.id as QuestionId
  const rpId = URL.parse(server)?.hostname ?? ''
  for (const voter of decision.by.people) {
    const passkey = 'passkey' in voter ? voter.passkey : undefined
    if (!passkey) continue
    const vote = { questionId, personId: voter.id, value: decision.value }
    const { approvalSha256 } = passkey
    const ballot = { ...vote, textSha256, actionSha256, approvalSha256 }
    const origin = originIn(passkey) ?? ''
    const count = await checkSignature(ballot, passkey, { origin, rpId })
    if (count === undefined) return `${voter.name} (${voter.id})`
  }
  return undefined
}

/** Says who decided what, in one sentence. */
export function receiptSentence(payload: ReceiptPayload): string {
  const { question, decision, server, test } = payload
  const what = test ? 'the test question' : 'the question'
  const when = `${decision.at} on ${server}`
  const edited = decision.edited ? ', with changed arguments,' : ''
  const decisionText = `${decider(payload)} answered “${decision.value}”${edited}`
  return cleanLine(`${decisionText} to ${what} ${question.id} at ${when}.`)
}

// Version 1 had no other word for whoever pressed a button of a notification or had a link.
const FIRST_PROGRAM = 'A program, or somebody with a notification or a link,'

type OnDevice = Extract<ReceiptPayload['decision']['by'], { kind: 'device' | 'link' }>

function onDevice({ id, label, person }: OnDevice): string {
  const whose = person ? ` of ${person.name ?? person.id} (${person.id})` : ''
  return `${label} (${id})${whose}`
}

function decider({ version, test, decision: { by } }: ReceiptPayload): string {
  switch (by.kind) {
    case 'person':
      return by.name === undefined ? by.id : `${by.name} (${by.id})`
    case 'rule':
      return `The rule for ${by.words} (${by.id})`
    case 'grant':
      return `${by.words} (${by.id})`
    case 'device':
      return `Somebody with the device ${onDevice(by)}`
    case 'link':
      return `Somebody with the link that was sent to ${onDevice(by)}`
    case 'chat':
      return `${by.name}, in ${'label' in by && by.label ? `the chat ${by.label}` : 'a chat'},`
    case 'program':
      return version === 1 && !test ? FIRST_PROGRAM : 'A program, as test traffic,'
    case 'people':
      return by.people
        .map((one) => {
          const passkey = 'passkey' in one ? ', with a passkey' : ''
          return `${one.name} (${one.id}${passkey})`
        })
        .join(', ')
    case 'unknown':
      return 'Somebody (who is not recorded)'
  }
}

function whyNoReceipt(receipt: unknown): string {
  const added = addedMembers(Receipt, receipt)
  if (added === undefined) return 'This is not a receipt of Beckon.'
  return `A receipt has no member ${added}: it was added, and is not signed.`
}

function isNewer(payload: unknown): boolean {
  const { type, version } = { ...(payload as Record<string, unknown> | null) }
  return type === 'beckon-receipt' && typeof version === 'number' && version > RECEIPT_VERSION
}

function isCanonical(payload: unknown, text: string): boolean {
  try {
    return canonicalize(payload) === text
  } catch {
    return false
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
