import { domainToUnicode } from 'node:url'

/** Facts that a person should know about an address before they open it. */
export type SiteName = {
  /** The host and port as a browser requests them: `xn--…` if the letters are not Latin ones. */
  host: string
  /**
   * The host in its own letters and the name of their alphabet, if they differ and are of one
   * alphabet.
   */
  written: { text: string; scripts: string[] } | undefined
  /** A part of the name mixes alphabets, as names that imitate others do. */
  mixed: boolean
  /** A user name or password before the host, which may look like the host. */
  disguised: boolean
  /** The whole address in plain letters. */
  address: string
}

/** Undefined for text that is not a web address. */
export function siteOf(text: string): SiteName | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const own = domainToUnicode(url.hostname)
  const parts = own.split('.').map(scriptsOf)
  const mixed = parts.some(mixes)
  const differs = own !== '' && own !== url.hostname
  const scripts = [...new Set(parts.flat())]
  return {
    host: url.host,
    written: differs && !mixed ? { text: own, scripts } : undefined,
    mixed,
    disguised: url.username !== '' || url.password !== '',
    address: url.href,
  }
}

// The scripts of host names; characters in none of them belong to all.
const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Cherokee',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Gujarati',
  'Gurmukhi',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Sinhala',
  'Tibetan',
  'Ethiopic',
  'Mongolian',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
]
const SHAPES = SCRIPTS.map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const)

function scriptsOf(label: string): string[] {
  return SHAPES.filter(([, shape]) => shape.test(label)).map(([name]) => name)
}

// Chinese, Japanese and Korean use several scripts, and Latin letters among them.
const TOGETHER = new Set(['Latin', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo'])

function mixes(scripts: string[]): boolean {
  return scripts.length > 1 && !scripts.every((script) => TOGETHER.has(script))
}
