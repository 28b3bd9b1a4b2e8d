import deprecated from 'spdx-license-ids/deprecated.json'
import ids from 'spdx-license-ids/index.json'

// Field of the record.
const MOST = 200

const BY_NAME = new Map([...deprecated, ...ids].map((id) => [id.toLowerCase(), id]))

/** Names that mean exactly one licence, without "the", "license" and punctuation. */
const SPOKEN: Record<string, string> = {
  mit: 'MIT',
  'mit x11': 'MIT',
  expat: 'MIT',
  isc: 'ISC',
  unlicense: 'Unlicense',
  'apache 2': 'Apache-2.0',
  'apache 2.0': 'Apache-2.0',
  'apache v2': 'Apache-2.0',
  'apache version 2.0': 'Apache-2.0',
  'apache v2.0': 'Apache-2.0',
  asl2: 'Apache-2.0',
  'apache software 2.0': 'Apache-2.0',
  'apache 2.0.0': 'Apache-2.0',
  'mozilla public 2.0': 'MPL-2.0',
  'mpl 2.0': 'MPL-2.0',
  'boost software 1.0': 'BSL-1.0',
  'bsd 3 clause': 'BSD-3-Clause',
  'bsd 2 clause': 'BSD-2-Clause',
  'cc0 1.0': 'CC0-1.0',
  'cc0 1.0 universal': 'CC0-1.0',
  'cc by 3.0': 'CC-BY-3.0',
  'creative commons attribution 3.0': 'CC-BY-3.0',
  'cc by 4.0': 'CC-BY-4.0',
  'creative commons attribution 4.0': 'CC-BY-4.0',
  'creative commons attribution 4.0 international': 'CC-BY-4.0',
}

/**
 * An SPDX expression with the official spelling of its ids; a name that means exactly one licence
 * becomes its id. Undefined for everything else: a guess would be an invented fact.
 */
export function spdxOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MOST) return undefined
  const text = value.trim()
  return expression(text) ?? SPOKEN[spoken(text)]
}

function spoken(text: string): string {
  return text
    .toLowerCase()
    .replace(/\b(the|license|licence|licensed)\b/g, ' ')
    .replace(/\([a-z0-9-]*\)|[,"']/g, ' ')
    .replace(/[\s_-]+/g, ' ')
    .trim()
}

/** Ids joined by AND and OR, exceptions behind WITH, brackets in pairs. */
function expression(text: string): string | undefined {
  const words = text.replace(/[()]/g, ' $& ').trim().split(/\s+/)
  const parts: string[] = []
  let depth = 0
  let wantsId = true
  for (const [i, word] of words.entries()) {
    const isException = words[i - 1]?.toUpperCase() === 'WITH'
    if (word === '(' && wantsId && !isException) depth++
    else if (word === ')' && !wantsId && depth > 0) depth--
    else if (/^(and|or|with)$/i.test(word) && !wantsId) wantsId = true
    else if (wantsId && !/^[()]$/.test(word)) {
      const id = isException ? exceptionOf(word) : idOf(word)
      if (id === undefined) return undefined
      parts.push(id)
      wantsId = false
      continue
    } else return undefined
    parts.push(word.toUpperCase())
  }
  if (depth !== 0 || wantsId) return undefined
  return parts.join(' ').replaceAll('( ', '(').replaceAll(' )', ')')
}

function idOf(word: string): string | undefined {
  if (/^LicenseRef-[A-Za-z0-9.-]+$/.test(word)) return word
  const id = BY_NAME.get(word.toLowerCase())
  if (id !== undefined || !word.endsWith('+')) return id
  const older = BY_NAME.get(word.slice(0, -1).toLowerCase())
  return older === undefined ? undefined : `${older}+`
}

function exceptionOf(word: string): string | undefined {
  return /^[A-Za-z0-9.-]*-exception[A-Za-z0-9.-]*$/i.test(word) ? word : undefined
}
