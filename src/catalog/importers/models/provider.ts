import { basename, join } from 'node:path'
import { isObject } from '../fields.ts'
import { slugFrom } from '../slug-from.ts'
import { asLink } from '../words/as-link.ts'
import { type Toml, tomlOf } from './collection.ts'

/** The provider of the models in a folder. */
export type Provider = {
  id: string
  name: string
  docs?: string
  /** The public address of its HTTP interface, where the file says one. */
  api?: string
  needsKey: boolean
  /** The `provider.toml`; empty without one. */
  document: Toml
}

/** Reads `provider.toml`; without it the provider has the name of the folder. */
export function providerOf(home: string): Provider {
  const id = slugFrom(basename(home))
  const value = tomlOf(join(home, 'provider.toml'))
  const provider = isObject(value) ? value : {}
  const docs = typeof provider.doc === 'string' ? provider.doc : undefined
  const api = asLink(provider.api)
  return {
    id,
    name: typeof provider.name === 'string' && provider.name ? provider.name : id,
    ...(docs ? { docs } : {}),
    ...(api?.startsWith('https:') ? { api } : {}),
    document: provider,
    needsKey:
      Array.isArray(provider.env) && provider.env.some((it) => /KEY|TOKEN/i.test(String(it))),
  }
}
