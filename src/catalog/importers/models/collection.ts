import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { parse } from 'smol-toml'
import { Failure } from '../../../platform/failure.ts'
import { isObject } from '../fields.ts'
import { isFolder, listFiles } from '../list-files.ts'
import { readFileText } from '../read-source.ts'

const FILE_BYTES_MAX = 256 * 1024
// A link may lead to a link.
const HOPS_MAX = 4

export type Toml = Record<string, unknown>

/** One model of one provider, by its path below `models`. */
export type ModelFile = { file: string; home: string; provider: string; id: string }

/**
 * The models in a folder or a file of models.dev. Links are followed where they stay inside the
 * collection. Throws `invalid_input` for the root of its clone, where models of makers lie beside
 * those of providers, and what `listFiles` throws.
 */
export function modelFiles(source: string): ModelFile[] {
  const path = resolve(source)
  if (isFolder(join(path, 'providers')) && isFolder(join(path, 'models'))) {
    throw new Failure(
      'invalid_input',
      `${source} is the whole collection; import ${join(source, 'providers')}, which has the models of each provider. Nothing was imported.`,
    )
  }
  return listFiles(path, '.toml', { links: true })
    .filter((file) => basename(file) !== 'provider.toml')
    .map((file) => {
      const home = homeOf(file)
      const inner = relative(join(home, 'models'), file).split(sep).join('/')
      return { file, home, provider: basename(home), id: inner.replace(/\.toml$/, '') }
    })
}

/** The folder of a provider: the one above `models` that has a `provider.toml`. */
function homeOf(file: string): string {
  const parts = file.split(sep)
  for (let i = parts.length - 1; i > 0; i--) {
    const home = parts.slice(0, i).join(sep)
    if (parts[i] === 'models' && existsSync(join(home, 'provider.toml'))) return home
  }
  return parts.slice(0, parts.lastIndexOf('models')).join(sep)
}

/** `models/MAKER/…toml` of the collection that a provider belongs to; also beside the providers. */
export function makersFolder(home: string): string {
  const above = dirname(home)
  return join(basename(above) === 'providers' ? dirname(above) : above, 'models')
}

/** Reads a TOML file; returns the reason as text if it cannot. */
export function tomlOf(file: string): Toml | string {
  try {
    return parse(readFileText(file, FILE_BYTES_MAX), { maxDepth: 32 })
  } catch (error) {
    if (error instanceof Failure) return error.message
    return (error as Error).message.split('\n')[0] ?? 'something else'
  }
}

/** A model, the base that it names in vain, and the files that it was read from, with their content. */
type ModelContent = { value: Toml; missing?: string; documents: ReadonlyMap<string, Toml> }

/**
 * A model with what its `base_model` says of it, as models.dev merges them. A copy of a link, which holds only the path, is followed. Text says why a file
 * or its base cannot be read; the model's own values come without the base.
 */
export function readModelFile({ file, home }: ModelFile, hops = 0): ModelContent | string {
  const lost = lostLink(file, dirname(makersFolder(home)))
  if (lost) return lost
  const linked = copiedLink(file)
  if (linked && hops < HOPS_MAX && isInside(linked, dirname(makersFolder(home)))) {
    return readModelFile({ file: linked, home, provider: '', id: '' }, hops + 1)
  }
  const value = tomlOf(file)
  if (typeof value === 'string') return value
  const { base_model: base, base_model_omit: omit, ...own } = value
  const documents = new Map([[file, value]])
  if (typeof base !== 'string') return { value: own, documents }
  const path = join(makersFolder(home), `${base}.toml`)
  const parent = isInside(path, makersFolder(home)) ? tomlOf(path) : 'another folder'
  if (typeof parent === 'string') return { value: own, missing: base, documents }
  const { benchmarks: _, license: __, links: ___, weights: ____, ...inherited } = parent
  const merged = mergeDeep(inherited, own)
  for (const it of Array.isArray(omit) ? omit : []) if (typeof it === 'string') drop(merged, it)
  return { value: merged, documents: documents.set(path, parent) }
}

/** Reads the file that Git writes where it cannot make a link: its whole text is the path. */
function copiedLink(file: string): string | undefined {
  try {
    if (statSync(file).size > 1000) return undefined
    const text = readFileText(file, FILE_BYTES_MAX).trim()
    return /^[^\s="'[\]#]+\.toml$/.test(text) ? join(dirname(file), text) : undefined
  } catch {
    return undefined
  }
}

/** Why a link is not followed; undefined for one inside the folder, and for a file. */
function lostLink(file: string, folder: string): string | undefined {
  if (!lstatSync(file).isSymbolicLink()) return undefined
  if (!existsSync(file)) return 'a link that leads nowhere'
  return isInside(file, folder) ? undefined : 'a link that leads out of the collection'
}

function isInside(path: string, folder: string): boolean {
  try {
    return `${realpathSync(path)}${sep}`.startsWith(`${realpathSync(folder)}${sep}`)
  } catch {
    return false
  }
}

function mergeDeep(base: Toml, own: Toml): Toml {
  const merged = { ...base }
  for (const [key, value] of Object.entries(own)) {
    const below = Object.hasOwn(base, key) ? base[key] : undefined
    merged[key] = isObject(below) && isObject(value) ? mergeDeep(below, value) : value
  }
  return merged
}

/** Removes a value by its dotted path. */
function drop(target: Toml, path: string): void {
  const [first = '', ...rest] = path.split('.')
  if (!Object.hasOwn(target, first)) return
  if (rest.length === 0) {
    delete target[first]
    return
  }
  const inner = target[first]
  if (!isObject(inner)) return
  const copy = { ...inner }
  drop(copy, rest.join('.'))
  target[first] = copy
}
