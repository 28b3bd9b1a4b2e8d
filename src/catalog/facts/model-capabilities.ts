import { field } from '../probing/mcp-tools.ts'
import { line } from './read-words.ts'

type Said = Record<string, boolean | number | string>

const CONTEXT = ['context_window', 'context_length', 'max_context_length', 'max_model_len']
const OUTPUT = ['max_completion_tokens', 'max_output_tokens', 'max_output_length']
const WORD = /^[a-z0-9-]{1,40}$/
const NAME_MAX = 100

/**
 * What an item of a list of models says beside its id, in the words of the APIs that say more than
 * OpenAI's: names, owner, limits, kinds of content, what it can do. What it does not say is left out.
 */
export function capabilitiesOf(item: unknown): Said {
  const provider = field(item, 'top_provider')
  const architecture = field(item, 'architecture')
  const can = field(item, 'capabilities')
  const parameters = field(item, 'supported_parameters')
  const takes = (name: string) =>
    Array.isArray(parameters) && parameters.includes(name) ? true : undefined
  const said = {
    name: text(field(item, 'name')),
    ownedBy: text(field(item, 'owned_by')),
    contextTokens: firstCount(item, CONTEXT) ?? firstCount(provider, CONTEXT),
    outputTokens: firstCount(item, OUTPUT) ?? firstCount(provider, OUTPUT),
    input: words(field(architecture, 'input_modalities') ?? field(item, 'input_modalities')),
    output: words(field(architecture, 'output_modalities') ?? field(item, 'output_modalities')),
    toolCalls: flag(field(can, 'function_calling')) ?? takes('tools'),
    reasoning: flag(field(can, 'reasoning')) ?? takes('reasoning'),
    structuredOutput: takes('structured_outputs'),
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as Said
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? line(value, NAME_MAX) || undefined : undefined
}

function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function firstCount(value: unknown, names: readonly string[]): number | undefined {
  return names
    .map((name) => field(value, name))
    .find((it): it is number => Number.isSafeInteger(it) && (it as number) > 0)
}

function words(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined
  const known = value.filter((it): it is string => typeof it === 'string' && WORD.test(it))
  return known.length > 0 ? [...new Set(known)].slice(0, 20).join(', ') : undefined
}
