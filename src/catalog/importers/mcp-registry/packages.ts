import type { AuthoredTool } from '../../records/authored.ts'
import { isObject, lookUpWord } from '../fields.ts'

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

type Tell = (field: string, expected: string, actual: unknown) => void

/** A package that is understood, with its entry in the source. */
export type StatedPackage = {
  registry: string
  name: string
  transport?: string
  entry: Record<string, unknown>
}

/**
 * Packages that start the server locally, and whether they need a secret. `isOpen` says that there
 * are others, of which nothing is known.
 */
export function packagesOf(list: readonly unknown[], tell: Tell) {
  const statedPackages: StatedPackage[] = []
  let [secret, isOpen, isLocal] = [false, false, false]
  for (const [i, it] of list.entries()) {
    if (!isObject(it)) {
      tell(`packages[${i}]`, 'a mapping', it)
      continue
    }
    const registryName = it.registryType ?? it.registry_type ?? it.registry_name
    const registry = lookUpWord(REGISTRIES, registryName)
    const name = withoutVariable(it.identifier ?? it.name)
    secret ||= asksForSecret(it)
    // A bundle is a file that is run, in no registry.
    isLocal ||= registryName === 'mcpb'
    if (!registry) {
      isOpen ||= registryName !== 'mcpb'
      tell(
        `packages[${i}].registryType`,
        `one of ${Object.keys(REGISTRIES).join(', ')}`,
        registryName,
      )
    } else if (name === undefined) {
      isOpen = true
      tell(`packages[${i}].identifier`, 'the name of a package', it.identifier ?? it.name)
    } else if (registry === 'npm' && !NPM_NAME.test(name)) {
      // An old list names the repository where it knew no package.
      isOpen = true
      tell(`packages[${i}].name`, 'the name of an npm package', name)
    } else {
      isLocal = true
      const transport = transportOf(it.transport)
      statedPackages.push({ registry, name, ...(transport ? { transport } : {}), entry: it })
    }
  }
  const packages: Packages = statedPackages.map(({ registry, name }) => ({ registry, name }))
  const transports = [...new Set(statedPackages.flatMap(({ transport }) => transport ?? []))]
  return { found: statedPackages, packages, transports, secret, isOpen, isLocal }
}

/** `ghcr.io/acme/tool:${VERSION}` → `ghcr.io/acme/tool`: a tag that is only a variable is left out. */
function withoutVariable(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const plain = value.replace(/[:@]v?(\$\{[^{}]*\}|\{\{?[^{}]*\}?\}|\$[A-Z_]+)$/, '')
  return plain === '' || /[${}]/.test(plain) ? undefined : plain
}

export type Remote = {
  type: 'http' | 'sse'
  url: string
  headers: ReadonlyArray<Record<string, unknown>>
}

/**
 * The remote addresses of a server: the best one for the record, and all of them for client
 * configurations. An address with placeholders goes only into the latter.
 */
export function remotesOf(list: readonly unknown[]) {
  const transports = new Set<string>()
  const all: Remote[] = []
  let [url, first, at]: Array<string | undefined> = []
  let secret = false
  for (const [i, it] of list.entries()) {
    if (!isObject(it) || typeof it.url !== 'string' || !/^https:\/\/\S+$/.test(it.url)) continue
    const transport = transportOf(it)
    secret ||= asksForSecret(it)
    const headers = inputsIn(it.headers).filter(isObject)
    all.push({ type: transport === 'sse' ? 'sse' : 'http', url: it.url, headers })
    if (/[{}]/.test(it.url)) continue
    if (transport) transports.add(transport)
    // The older transport is the second choice.
    const isBetter = transport === 'streamable-http' && first !== 'streamable-http'
    if (!url || isBetter) [url, first, at] = [it.url, transport, `remotes[${i}].url`]
  }
  return { url, at: at ?? 'remotes', all, transports: [...transports], secret }
}

function transportOf(value: unknown): string | undefined {
  const type = isObject(value) ? (value.type ?? value.transport_type) : value
  return lookUpWord(TRANSPORTS, type)
}

// The inputs of a package or remote, in the spelling of each version of the format.
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

/** True if one of its inputs, or a variable inside one, is a secret. */
function asksForSecret(value: unknown, depth = 0): boolean {
  if (!isObject(value) || depth > DEPTH_MAX) return false
  if (value.isSecret === true || value.is_secret === true) return true
  return INPUTS.some((field) => inputsIn(value[field]).some((it) => asksForSecret(it, depth + 1)))
}

/** A list, or a mapping from names to inputs. */
export function inputsIn(value: unknown): unknown[] {
  if (isObject(value)) return Object.values(value)
  return Array.isArray(value) ? value : []
}
