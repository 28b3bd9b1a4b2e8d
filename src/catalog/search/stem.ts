// Porter's algorithm (1980), "An algorithm for suffix stripping": English words without their
// endings. Each step tries its endings from the longest, and applies the first that fits.

type Ending = readonly [ending: string, instead: string]

const STEP_2: readonly Ending[] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['alli', 'al'],
  ['ator', 'ate'],
  ['bli', 'ble'],
  ['eli', 'e'],
]
const STEP_3: readonly Ending[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]
const STEP_4: readonly Ending[] =
  'ement ance ence able ible ment sion tion ant ent ism ate iti ous ive ize al er ic ou'
    .split(' ')
    // The s or t before "ion" stays.
    .map((ending) => [ending, ending.endsWith('ion') ? ending.slice(0, 1) : ''])

/** The stem of a folded English word: "searching", "searches" and "search" have the same. */
export function stem(word: string): string {
  if (!/^[a-z]{3,}$/.test(word)) return word
  const singular = word.replace(/(ss|i)es$/, '$1').replace(/([^s])s$/, '$1')
  const plain = withoutTense(singular).replace(/(?<=[a-z]*[aeiouy][a-z]*)y$/, 'i')
  const short = [STEP_2, STEP_3].reduce((text, endings) => replaceEnding(text, endings, 0), plain)
  return withoutLast(replaceEnding(short, STEP_4, 1))
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const base = word.replace(/(ed|ing)$/, '')
  if (base === word || !hasVowel(base)) return word
  if (/(at|bl|iz)$/.test(base)) return `${base}e`
  if (/([^aeiouylsz])\1$/.test(base)) return base.slice(0, -1)
  return measure(base) === 1 && endsShort(base) ? `${base}e` : base
}

/** Replaces the first ending that fits, if more than `least` syllables remain. */
function replaceEnding(word: string, endings: readonly Ending[], least: number): string {
  const fit = endings.find(([ending]) => word.endsWith(ending))
  if (!fit) return word
  const [ending, instead] = fit
  const base = word.slice(0, -ending.length) + instead
  const measured = instead.length === 1 ? base : word.slice(0, -ending.length)
  return measure(measured) > least ? base : word
}

function withoutLast(word: string): string {
  const base = word.slice(0, -1)
  if (word.endsWith('e')) {
    const syllables = measure(base)
    return syllables > 1 || (syllables === 1 && !endsShort(base)) ? base : word
  }
  return word.endsWith('ll') && measure(base) > 1 ? base : word
}

/** How many vowels are followed by a consonant; a "y" after a consonant is a vowel. */
function measure(word: string): number {
  return shapeOf(word).match(/V+C+/g)?.length ?? 0
}

function hasVowel(word: string): boolean {
  return shapeOf(word).includes('V')
}

function endsShort(word: string): boolean {
  return /CVC$/.test(shapeOf(word)) && !/[wxy]$/.test(word)
}

function shapeOf(word: string): string {
  return word
    .replace(/(?<![aeiou]|^)y/g, 'i')
    .replace(/[aeiou]/g, 'V')
    .replace(/[^V]/g, 'C')
}
