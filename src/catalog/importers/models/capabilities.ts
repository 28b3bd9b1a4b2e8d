import type { ModelCapabilities } from '../../records/models.ts'
import type { fieldReader } from '../fields.ts'

type Reader = ReturnType<typeof fieldReader>

const KNOWLEDGE = /^\d{4}(-\d\d(-\d\d)?)?$/
const MEDIUM = /^[a-z0-9-]{1,40}$/
const MEDIA_MAX = 20

/** What models.dev says that a model can do; what it does not say is left out. */
export function capabilitiesOf(read: Reader): ModelCapabilities {
  const limit = read.object('limit')
  const modalities = read.object('modalities')
  const said = {
    toolCalls: read.flag('tool_call'),
    reasoning: read.flag('reasoning'),
    structuredOutput: read.flag('structured_output'),
    attachments: read.flag('attachment'),
    openWeights: read.flag('open_weights'),
    contextTokens: tokens(limit?.context),
    outputTokens: tokens(limit?.output),
    input: media(modalities?.input),
    output: media(modalities?.output),
    knowledge: knowledgeOf(read),
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}

/** The list writes 0 where there is no such limit. */
function tokens(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

function media(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const words = value.filter((it): it is string => typeof it === 'string' && MEDIUM.test(it))
  return words.length > 0 ? [...new Set(words)].slice(0, MEDIA_MAX) : undefined
}

function knowledgeOf(read: Reader): string | undefined {
  const said = read.text('knowledge')
  if (said === undefined || KNOWLEDGE.test(said)) return said
  read.wrong('knowledge', 'a year, month or day', said)
  return undefined
}
