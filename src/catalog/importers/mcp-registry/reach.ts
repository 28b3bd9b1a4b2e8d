import type { AuthoredTool } from '../../records/authored.ts'
import { isObject, namedIn } from '../fields.ts'

type Packages = NonNullable<AuthoredTool['packages']>

const REGISTRIES: Record<string, string> = {
  npm: 'npm',
  pypi: 'pypi',
  go: 'go',
  oci: 'oci',
  docker: 'oci',
  nuget: 'nuget',
  cargo: 'crates',
  crates: 'crates',
  maven: 'maven',
  rubygems: 'rubygems',
}
const NPM_NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/
const TRANSPORTS: Record<string, string> = {
  stdio: 'stdio',
  sse: 'sse',
  http: 'http',
  streamable: 'streamable-http',
  'streamable-http': 'streamable-http',
}

type Tell = (field: string, expected: string, found: unknown) => void

/** Packages by which a server is started here, and whether they ask for something secret. */
export function packagesOf(list: readonly unknown[], tell: Tell) {
  const found: Packages = []
  const transports = new Set<string>()
  let secret = false
  for (const [i, it] of list.entries()) {
    if (!isObject(it)) {
      tell(`packages[${i}]`, 'a mapping', it)
      continue
    }
    const registry = namedIn(REGISTRIES, it.registryType ?? it.registry_type ?? it.registry_name)
    const name = it.identifier ?? it.name
    // An old list calls the repository a package where it knew no other name.
    if (registry === 'npm' && typeof name === 'string' && !NPM_NAME.test(name)) {
      tell(`packages[${i}].name`, 'the name of an npm package', name)
    } else if (registry && typeof name === 'string') found.push({ registry, name })
    transports.add(transportOf(it.transport) ?? 'stdio')
    secret ||= asksForSecret(it)
  }
  return { list: found, transports: [...transports], secret, count: list.length }
}

/**
 * Where a server is reached over the network: the best address for a record, and all of them for a
 * client's configuration. An address with placeholders is nobody's own, and belongs there alone.
 */
export function remotesOf(list: readonly unknown[]) {
  const transports = new Set<string>()
  const all: Remote[] = []
  let url: string | undefined
  let first: string | undefined
  let secret = false
  for (const it of list) {
    if (!isObject(it) || typeof it.url !== 'string' || !/^https:\/\/\S+$/.test(it.url)) continue
    const transport = transportOf(it)
    secret ||= asksForSecret(it)
    all.push({ type: transport === 'sse' ? 'sse' : 'http', url: it.url })
    if (/[{}]/.test(it.url)) continue
    if (transport) transports.add(transport)
    // The older transport is the second choice.
    const isBetter = transport === 'streamable-http' && first !== 'streamable-http'
    if (!url || isBetter) [url, first] = [it.url, transport]
  }
  return { url, all, transports: [...transports], secret }
}

export type Remote = { type: 'http' | 'sse'; url: string }

/** An entry of a client's configuration for each address. */
export function configOf(name: string, remotes: readonly Remote[]): string {
  const entries = remotes.map(({ type, url }, i) => {
    const key = i === 0 ? name : `${name}-${i + 1}`
    return [key, { type, url }]
  })
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) }, null, 2)
}

function transportOf(value: unknown): string | undefined {
  const type = isObject(value) ? (value.type ?? value.transport_type) : value
  return namedIn(TRANSPORTS, type)
}

// What a way to reach a server asks for, in the spellings of each version of the format.
const INPUTS = [
  'environmentVariables',
  'environment_variables',
  'headers',
  'variables',
  'packageArguments',
  'package_arguments',
  'runtimeArguments',
  'runtime_arguments',
]
const DEPTH_MAX = 4

/** Whether one of its inputs, or a variable inside one, is a secret. */
function asksForSecret(value: unknown, depth = 0): boolean {
  if (!isObject(value) || depth > DEPTH_MAX) return false
  if (value.isSecret === true || value.is_secret === true) return true
  return INPUTS.some((field) => inputsIn(value[field]).some((it) => asksForSecret(it, depth + 1)))
}

/** A list, or a mapping from names to inputs. */
function inputsIn(value: unknown): unknown[] {
  return isObject(value) ? Object.values(value) : listOf(value)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
