import type { ParseOptions } from 'sugar-high/core'
import { highlighter } from './highlighter.ts'

// Text rather than code, or read so loosely that the colours would mislead.
const PLAIN = new Set(['html', 'markdown', 'plaintext', 'diff', 'shell'])

const EXTENSIONS: Record<string, string> = {
  ...{ mts: 'ts', cts: 'ts', mjs: 'js', cjs: 'js' },
  ...{ pyi: 'py', h: 'c', hpp: 'cpp', hh: 'cpp' },
}

/** The language of a file by its name; undefined for one that is shown without colours. */
export function languageOf(path: string | undefined): ParseOptions | undefined {
  const name = path?.split(/[\\/]/).at(-1)?.toLowerCase() ?? ''
  const extension = name === 'dockerfile' ? name : /[^.]\.(\w{1,12})$/.exec(name)?.[1]
  if (extension === undefined) return undefined
  const { lang, languages } = highlighter()
  const id = lang(EXTENSIONS[extension] ?? extension)
  if (id === undefined || PLAIN.has(id)) return undefined
  return languages.find((language) => language.id === id)?.config
}
