import { isObject } from '../fields.ts'

const PURL = /^pkg:(npm|pypi|golang|github)\/([^?#@]+|%40[^?#@]+)$/
const REGISTRIES: Record<string, string> = { npm: 'npm', pypi: 'pypi', golang: 'go' }

/** By what else a product is known: its packages, and the repository that its releases come from. */
export function identitiesOf(value: Record<string, unknown>) {
  const packages: Array<{ registry: string; name: string }> = []
  for (const it of listOf(value.identifiers)) {
    const purl = isObject(it) && typeof it.purl === 'string' ? PURL.exec(it.purl) : null
    const registry = REGISTRIES[purl?.[1] ?? '']
    if (registry && purl?.[2]) packages.push({ registry, name: decoded(purl[2]) })
  }
  const methods = isObject(value.auto) ? listOf(value.auto.methods) : []
  const git = methods.map((it) => (isObject(it) ? it.git : undefined)).find(isGithub)
  return { packages, ...(git ? { repo: git.replace(/\.git$/, '') } : {}) }
}

function isGithub(value: unknown): value is string {
  return typeof value === 'string' && /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/.test(value)
}

function decoded(name: string): string {
  return name.replace(/^%40/, '@')
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
