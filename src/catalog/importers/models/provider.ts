import { basename, join } from 'node:path'
import { parse } from 'smol-toml'
import { Failure } from '../../../platform/failure.ts'
import { isObject } from '../fields.ts'
import { readFileText } from '../read-source.ts'
import { slugFrom } from '../slug-from.ts'

const FILE_BYTES_MAX = 256 * 1024

/** The provider of the models in a folder. */
export type Provider = {
  id: string
  name: string
  docs?: string
  /** Address of its HTTP interface, where the file says one. */
  api?: string
  needsKey: boolean
}

/** Reads `provider.toml`; without it the provider has the name of the folder. */
export function providerOf(home: string): Provider {
  const id = slugFrom(basename(home))
  const value = tomlOf(join(home, 'provider.toml'))
  const said = isObject(value) ? value : {}
  const docs = typeof said.doc === 'string' ? said.doc : undefined
  return {
    id,
    name: typeof said.name === 'string' && said.name ? said.name : id,
    ...(docs ? { docs } : {}),
    ...(typeof said.api === 'string' && /^https:/.test(said.api) ? { api: said.api } : {}),
    needsKey: Array.isArray(said.env) && said.env.some((it) => /KEY|TOKEN/i.test(String(it))),
  }
}

/** Reads a TOML file; returns the reason as text if it cannot. */
export function tomlOf(file: string): Record<string, unknown> | string {
  try {
    return parse(readFileText(file, FILE_BYTES_MAX), { maxDepth: 32 })
  } catch (error) {
    if (error instanceof Failure) return error.message
    return (error as Error).message.split('\n')[0] ?? 'something else'
  }
}
