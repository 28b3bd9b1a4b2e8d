import type { AuthoredTool } from '../../record/authored.ts'
import { isObject, namedIn } from '../fields.ts'

type Packages = NonNullable<AuthoredTool['packages']>

const REGISTRIES: Record<string, string> = {
  ...{ npm: 'npm', pypi: 'pypi', go: 'go', oci: 'oci', docker: 'oci', nuget: 'nuget' },
  ...{ cargo: 'crates', crates: 'crates', maven: 'maven', rubygems: 'rubygems' },
}
const NPM_NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/
const TRANSPORTS: Record<string, string> = {
  ...{ stdio: 'stdio', sse: 'sse', http: 'http', streamable: 'streamable-http' },
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
    secret ||= listOf(it.environmentVariables ?? it.environment_variables).some(isSecret)
  }
  return { list: found, transports: [...transports], secret, count: list.length }
}

/** Where a server is reached over the network; addresses with placeholders are nobody's. */
export function remotesOf(list: readonly unknown[]) {
  const transports = new Set<string>()
  let url: string | undefined
  let secret = false
  for (const it of list) {
    if (!isObject(it) || typeof it.url !== 'string' || !/^https:\/\/[^{}]+$/.test(it.url)) continue
    const transport = transportOf(it)
    if (transport) transports.add(transport)
    // The older transport is the second choice.
    if (!url || transport === 'streamable-http') url = it.url
    secret ||= listOf(it.headers).some(isSecret)
  }
  return { url, transports: [...transports], secret }
}

function transportOf(value: unknown): string | undefined {
  const type = isObject(value) ? (value.type ?? value.transport_type) : value
  return namedIn(TRANSPORTS, type)
}

function isSecret(value: unknown): boolean {
  return isObject(value) && (value.isSecret === true || value.is_secret === true)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
