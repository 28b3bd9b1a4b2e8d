import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'

const OURS = /(ask_user|ask_human|wait_for_answer|cancel_question|send_notification|propose_scope)$/

/** What a request to the model spends on our tools, in tokens of two tokenizers, in words. */
export function toolTokens(body: string): string {
  const descriptions = new Map<string, string>()
  collect(JSON.parse(body), descriptions)
  const whole = [...descriptions.values()].join('\n')
  if (descriptions.size === 0) return 'no tool of ours in the request (deferred by the client)'
  return `${descriptions.size} tools of ours cost ${o200k(whole)} (o200k) or ${cl100k(whole)} (cl100k) tokens a turn`
}

/** Entries of lists of tools, whatever the wire calls their parts. */
function collect(value: unknown, descriptions: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) return
  const { name, description } = value as Record<string, unknown>
  if (typeof name === 'string' && typeof description === 'string' && OURS.test(name)) {
    descriptions.set(name, JSON.stringify(value))
    return
  }
  for (const part of Object.values(value)) collect(part, descriptions)
}
