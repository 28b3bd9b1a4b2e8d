import { Type } from '@sinclair/typebox'
import { shape } from '../../platform/schema.ts'
import type { FactValue } from '../measured/fact-words.ts'
import type { Outside, Probe } from '../probing/probe.ts'
import type { AuthoredTool } from '../records/authored.ts'
import { isModelId, MODELS_MAX } from '../records/models.ts'
import { askJson } from './ask-json.ts'
import { capabilitiesOf } from './model-capabilities.ts'
import { createShared } from './shared.ts'

const DAY_MS = 24 * 3_600_000
// A list of some hundred models with their descriptions.
const BYTES_MAX = 2 * 1024 * 1024
// It stands at each model.
const SOURCE_CHARS_MAX = 300
const LIST = shape(Type.Object({ data: Type.Array(Type.Unknown(), { maxItems: 20_000 }) }))
const VERSION = /^(.*?\/v\d[a-z0-9]{0,15})(\/|$)/

type Models = FactValue<'models'>

/**
 * The models that an API lists to callers without credentials, once a day: `data` of
 * `GET …/v1/models`, as APIs that are compatible with the one of OpenAI answer. A refusal, a missing
 * address and an empty list are no fact; what was known stays.
 */
export function modelsProbe(): Probe {
  // Null: it answered, and lists nothing to us.
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

/** Models, and APIs that say that they serve some: by category, capability or a list of them. */
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

async function read(outside: Outside, addresses: readonly string[]) {
  for (const url of addresses) {
    const reply = await askJson(outside, url, LIST, { maxBytes: BYTES_MAX })
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

/** In the order of their names: a list that comes in another order is no change. */
function modelsIn(data: readonly unknown[], source: string): Models | undefined {
  const found = new Map<string, Models[string]>()
  for (const item of data) {
    const id = (item as { id?: unknown } | null)?.id
    if (isModelId(id) && !found.has(id)) found.set(id, { ...capabilitiesOf(item), source })
  }
  if (found.size === 0) return undefined
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.slice(0, MODELS_MAX))
}

/** Of an API all of them; of the record of a model those that its file names, if it names any. */
function ownModels({ kind, models }: AuthoredTool, all: Models): Models | undefined {
  if (kind !== 'model' || !models) return all
  const own = Object.entries(all).filter(([id]) => Object.hasOwn(models, id))
  return own.length > 0 ? Object.fromEntries(own) : undefined
}
