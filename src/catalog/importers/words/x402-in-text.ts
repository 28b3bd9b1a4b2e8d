import { cutText } from '../../../platform/text.ts'

type Stated = { level: 'yes' | 'partial' | 'no'; evidence: string }

const MENTION = /\bx402\b/i
// Payments are not accepted, or not yet.
const NEGATED = [
  /\b(no|not|never|without|isn't|aren't|doesn't|don't|won't|cannot|can't|nor|neither|lacks?|unlike)\b[^.;,]{0,30}\bx402\b/i,
  /\bx402\b[^.;]{0,40}\b(is|are|was|were)?\s*(not|never|un)\s*-?(yet|supported|accepted|taken|offered|available|required|planned)?\b/i,
  /\b(instead of|rather than|alternative to|replaces?|drops?|dropped|removed?|competitor of|compared with)\b[^.;]{0,40}\bx402\b/i,
  /\bx402\b[^.;]{0,60}\b(coming soon|planned|on the roadmap|unsupported|in the future|later this year|was removed|discontinued)\b/i,
  /\b(plans?|planning|roadmap|soon|upcoming|future|considering|will)\b[^.;]{0,40}\bx402\b/i,
]
const REFUSED =
  /\b(does not|doesn't|do not|don't|cannot|can't|never|no longer|not)\s+(\w+\s+){0,2}(takes?|accepts?|supports?|uses?|offers?|speaks?)\b[^.;]{0,40}\bx402\b|\bno x402\b|\bx402\b[^.;]{0,20}\bis not (supported|accepted|taken|offered|available)\b/i
// It sells calls.
const SELLS =
  /\b(micro-?payments?|pay[- ]per[- ](call|use|request|read|query)|per[- ](call|request|use)|payable|paid|monetiz\w+|gated|paywall\w*|endpoints?|apis?|services?|enabled|accepts?|takes?|supports?|integrat\w+|native|powered by|via|through|settle\w*|facilitator)\b/i
// It pays others, helps to build x402, or describes it.
const OTHERS =
  /\b(to (pay|call|access)|pays? for|auto-?pays?|consumes?|wallet|analytics|explorer|analy[sz]e|search for|discover|tutorial|examples?|curl for|sdk|clients?|library|framework|reference|every x402 endpoint)\b/i
// Used for sold calls nevertheless.
const OWN =
  /\b(micro-?payments?|pay[- ]per[- ]\w+|x402[- ](paid|enabled|gated|paywalled)|monetiz\w+|accepts?|integrat\w+|powered by|payable|via x402|\d+ (paid )?endpoints?)\b/i
const WHOLE =
  /\b(all|every|each|only|exclusively|entirely)\b[^.;]{0,80}\b(via|through|with|over|using|by|accepts?|takes?)\s+(\w+\s+){0,3}x402\b|\bx402\b[^.;]{0,20}\b(only|exclusively)\b/i

const QUOTE_MOST = 300

/**
 * What a text says about x402 payments per call, with the sentence that says it; undefined if it
 * says nothing, only announces it, or speaks of paying others. "Does not take x402" is a no.
 */
export function x402InText(text: string | undefined): Stated | undefined {
  let found: Stated | undefined
  for (const sentence of sentencesOf(text ?? '')) {
    if (!MENTION.test(sentence)) continue
    const evidence = `Its description says: “${cutText(sentence, QUOTE_MOST)}”`
    if (REFUSED.test(sentence)) return { level: 'no', evidence }
    if (NEGATED.some((pattern) => pattern.test(sentence))) continue
    if (!SELLS.test(sentence) || (OTHERS.test(sentence) && !OWN.test(sentence))) continue
    found ??= { level: WHOLE.test(sentence) ? 'yes' : 'partial', evidence }
  }
  return found
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?;])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter(Boolean)
}
