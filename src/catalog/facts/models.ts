import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { shape } from '../../platform/schema.ts'
import type { AuthoredTool } from '../records/authored.ts'
import { isModelId, MODELS_MAX } from '../records/models.ts'
import type { Probe, ProbeNetwork } from './fact.ts'
import { defineFact, type StoredValue } from './fact.ts'
import { memberOf } from './mcp-tools/mcp-request.ts'
import { oneLine, readJsonAddress } from './read-address.ts'
import { createShared } from './shared.ts'

const DAY_MS = 24 * 3_600_000
// A list of some hundred models with their descriptions.
const BYTES_MAX = 2 * 1024 * 1024
// Stored once for each model.
const SOURCE_CHARS_MAX = 300
const LIST = shape(Type.Object({ data: Type.Array(Type.Unknown(), { maxItems: 20_000 }) }))
const VERSION = /^(.*?\/v\d[a-z0-9]{0,15})(\/|$)/

const Models = Type.Record(
  Type.String(),
  Type.Record(
    Type.String(),
    Type.Union([Type.Boolean(), Type.Number(), Type.String(), Type.Null()]),
  ),
  {
    description:
      'Capabilities by model, each with the source that it was read at and when (checkedAt).',
  },
)
type Models = Static<typeof Models>

/** The models that an API lists, by their ids. */
export const MODEL_LIST = defineFact({
  name: 'models',
  value: Models,
  live: { models: Type.Optional(Models) },
  probes: () => [modelsProbe()],
  read: ([stored]) => (stored ? { models: modelsWithTime(stored) } : {}),
})

function modelsWithTime({ value, checkedAt }: StoredValue<Models>): Models {
  const time = { checkedAt: isoTime(checkedAt) }
  return Object.fromEntries(Object.entries(value).map(([id, model]) => [id, { ...model, ...time }]))
}

/**
 * Reads the models that an API lists without credentials, once a day, from `data` of `GET
 * …/v1/models` as OpenAI-compatible APIs answer. A refusal, a missing address and an empty list
 * change nothing.
 */
export function modelsProbe(): Probe {
  // Null: it answered with an empty list.
  const shared = createShared<Models | null | undefined>(DAY_MS / 2)
  return {
    name: 'models',
    everyMs: DAY_MS,
    appliesTo: ({ tool }) => servesModels(tool) && listAddresses(tool).length > 0,
    async run(outside, { tool }, now) {
      const addresses = listAddresses(tool)
      const { at, value } = await shared(addresses.join(' '), now, () => read(outside, addresses))
      const own = value ? ownModels(tool, value) : undefined
      return { facts: own ? [{ subject: 'models', value: own, at }] : [] }
    },
  }
}

/**
 * Model records, and APIs that serve models according to their category, capabilities or own list.
 */
function servesModels({ kind, category, capabilities = [], models }: AuthoredTool): boolean {
  if (kind === 'model') return true
  if (kind !== 'http-api') return false
  return (
    category === 'models' ||
    models !== undefined ||
    capabilities.some((word) => /(^|\.)models?(\.|$)/.test(word))
  )
}

/** `…/v1/models` where the address has a version, else below the address with and without one. */
function listAddresses({ remoteUrl }: AuthoredTool): string[] {
  const url = remoteUrl === undefined ? null : URL.parse(remoteUrl)
  if (!url || !/^https?:$/.test(url.protocol)) return []
  const [, versioned] = VERSION.exec(url.pathname) ?? []
  if (versioned !== undefined) return [`${url.origin}${versioned}/models`]
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  return [`${base}/v1/models`, `${base}/models`]
}

async function read(outside: ProbeNetwork, addresses: readonly string[]) {
  for (const url of addresses) {
    const reply = await readJsonAddress(outside, url, LIST, { maxBytes: BYTES_MAX })
    if (reply.outcome === 'read') {
      const source = reply.url.length > SOURCE_CHARS_MAX ? url : reply.url
      const models = modelsIn(reply.value.data, source)
      if (models) return models
    }
    if (reply.outcome === 'unread') return isRefusal(reply.status) ? null : undefined
  }
  return null
}

function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 429
}

/** Sorted by name, so that another order is not a change. */
function modelsIn(data: readonly unknown[], source: string): Models | undefined {
  const models = new Map<string, Models[string]>()
  for (const item of data) {
    const id = (item as { id?: unknown } | null)?.id
    if (isModelId(id) && !models.has(id)) models.set(id, { ...capabilitiesOf(item), source })
  }
  if (models.size === 0) return undefined
  const sorted = [...models].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.slice(0, MODELS_MAX))
}

/** All models of an API; for the record of a model only those that its file names, if any. */
function ownModels({ kind, models }: AuthoredTool, all: Models): Models | undefined {
  if (kind !== 'model' || !models) return all
  const own = Object.entries(all).filter(([id]) => Object.hasOwn(models, id))
  return own.length > 0 ? Object.fromEntries(own) : undefined
}

type ModelCapabilities = Record<string, boolean | number | string>

const CONTEXT = ['context_window', 'context_length', 'max_context_length', 'max_model_len']
const OUTPUT = ['max_completion_tokens', 'max_output_tokens', 'max_output_length']
const WORD = /^[a-z0-9-]{1,40}$/
const NAME_MAX = 100

/**
 * Reads what APIs say about a model beyond its id: names, owner, limits, kinds of content,
 * features. Missing values are left out.
 */
function capabilitiesOf(item: unknown): ModelCapabilities {
  const provider = memberOf(item, 'top_provider')
  const architecture = memberOf(item, 'architecture')
  const can = memberOf(item, 'capabilities')
  const parameters = memberOf(item, 'supported_parameters')
  const takes = (name: string) =>
    Array.isArray(parameters) && parameters.includes(name) ? true : undefined
  const capabilities = {
    name: textOf(memberOf(item, 'name')),
    ownedBy: textOf(memberOf(item, 'owned_by')),
    contextTokens: firstCount(item, CONTEXT) ?? firstCount(provider, CONTEXT),
    outputTokens: firstCount(item, OUTPUT) ?? firstCount(provider, OUTPUT),
    input: words(memberOf(architecture, 'input_modalities') ?? memberOf(item, 'input_modalities')),
    output: words(
      memberOf(architecture, 'output_modalities') ?? memberOf(item, 'output_modalities'),
    ),
    toolCalls: flag(memberOf(can, 'function_calling')) ?? takes('tools'),
    reasoning: flag(memberOf(can, 'reasoning')) ?? takes('reasoning'),
    structuredOutput: takes('structured_outputs'),
  }
  return Object.fromEntries(
    Object.entries(capabilities).filter(([, value]) => value !== undefined),
  ) as ModelCapabilities
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? oneLine(value, NAME_MAX) || undefined : undefined
}

function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function firstCount(value: unknown, names: readonly string[]): number | undefined {
  return names
    .map((name) => memberOf(value, name))
    .find((it): it is number => Number.isSafeInteger(it) && (it as number) > 0)
}

function words(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined
  const validWords = value.filter((it): it is string => typeof it === 'string' && WORD.test(it))
  return validWords.length > 0 ? [...new Set(validWords)].slice(0, 20).join(', ') : undefined
}
