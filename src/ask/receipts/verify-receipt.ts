import { Value } from '@sinclair/typebox/value'
import canonicalize from 'canonicalize'
import { isSignedBy, readPublicPem, type VerifyKey } from '../../platform/ed25519.ts'
import { cleanLine } from '../../platform/text.ts'
import { Receipt, ReceiptPayload } from './model/receipt.ts'

export type VerifiedReceipt =
  | { ok: true; kid: string; payload: ReceiptPayload }
  | { ok: false; why: string }

/**
 * Whether `text` is a receipt as `trusted` signed it. Without `trusted` it is checked with the key
 * that it carries, which proves that nothing was changed but not whose key it is. Needs no server.
 */
export function verifyReceipt(text: string, trusted?: VerifyKey): VerifiedReceipt {
  const no = (why: string) => ({ ok: false, why }) as const
  const receipt = parsed(text)
  if (!Value.Check(Receipt, receipt)) return no('This is not a receipt of Beckon.')
  const own = readPublicPem(receipt.publicKey)
  if (own?.kid !== receipt.kid) return no('The key in the receipt is not the one that it names.')
  if (trusted && trusted.kid !== receipt.kid) {
    return no(`The receipt was signed with the key ${receipt.kid}, not with ${trusted.kid}.`)
  }
  if (!isSignedBy(own, receipt.payload, receipt.signature)) {
    return no('The signature does not fit: the receipt was changed after it was signed.')
  }
  const payload = parsed(receipt.payload)
  if (!Value.Check(ReceiptPayload, payload) || !isCanonical(payload, receipt.payload)) {
    return no('What is signed is not a receipt.')
  }
  if (payload.kid !== receipt.kid) return no('What is signed names another key.')
  return { ok: true, kid: receipt.kid, payload }
}

/** Who decided what, in one sentence. */
export function receiptSentence({ question, decision, server, test }: ReceiptPayload): string {
  const what = test ? 'the test question' : 'the question'
  const when = `${decision.at} on ${server}`
  const said = `${decider(decision.by)} answered “${decision.value}”`
  return cleanLine(`${said} to ${what} ${question.id} at ${when}.`)
}

function decider(by: ReceiptPayload['decision']['by']): string {
  switch (by.kind) {
    case 'person':
      return by.name === undefined ? by.id : `${by.name} (${by.id})`
    case 'rule':
      return `The rule for ${by.words} (${by.id})`
    case 'grant':
      return `${by.words} (${by.id})`
    case 'chat':
      return `${by.name}, in a chat,`
    case 'program':
      return 'A program'
  }
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
