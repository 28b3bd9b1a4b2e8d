import type { ParseOptions } from 'sugar-high/core'

/** The parts of the highlighter that are used here. */
type Highlighter = {
  /** Reads a text into pairs of a kind's number and a part; the parts together are the text. */
  tokenize: typeof import('sugar-high/core').tokenize
  /** The names of the kinds by their numbers. */
  kinds: { [number: number]: string }
  /** The language of an extension. */
  lang: typeof import('sugar-high/lang').lang
  languages: typeof import('sugar-high/lang').languages
}

let loaded: Highlighter | undefined

/**
 * The highlighter, loaded for the first text that is coloured, so that a server without visitors
 * does not keep it in memory. `require`, since pages are rendered in one go and cannot wait for an
 * `import`.
 */
export function highlighter(): Highlighter {
  if (loaded) return loaded
  const { tokenize, SugarHigh } = require('sugar-high/core') as typeof import('sugar-high/core')
  const { lang, languages } = require('sugar-high/lang') as typeof import('sugar-high/lang')
  loaded = { tokenize, kinds: SugarHigh.TokenTypes, lang, languages }
  return loaded
}

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
