const BRACES_MAX = 64
const TEXT_MAX = 2_000

/**
 * The texts that `{a,b}`, `{1..3}` or nested ones stand for, in the order of the shell; undefined
 * if they are not certain (quotes or expansions inside), or more than 64.
 */
export function expandBraces(text: string): string[] | undefined {
  if (text.length > TEXT_MAX || /["'`$\\~*?[\]=\s]/.test(text)) return undefined
  return expand(text)
}

function expand(text: string): string[] | undefined {
  const group = firstGroup(text)
  if (!group) return text.includes('{') || text.includes('}') ? undefined : [text]
  const { from, to, commas } = group
  const inner = text.slice(from + 1, to)
  const choices = commas.length > 0 ? split(text, from, to, commas) : sequence(inner)
  const ends = expand(text.slice(to + 1))
  if (!choices || !ends) return undefined
  const results: string[] = []
  for (const choice of choices) {
    const middles = expand(choice)
    if (!middles) return undefined
    for (const middle of middles) {
      for (const end of ends) results.push(text.slice(0, from) + middle + end)
    }
    if (results.length > BRACES_MAX) return undefined
  }
  return results
}

/** The first outermost pair of braces, with the commas between its choices. */
function firstGroup(text: string) {
  const from = text.indexOf('{')
  if (from < 0) return undefined
  const commas: number[] = []
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return { from, to: at, commas }
    else if (text[at] === ',' && depth === 1) commas.push(at)
  }
  return undefined
}

function split(text: string, from: number, to: number, commas: readonly number[]): string[] {
  const bounds = [from, ...commas, to]
  return bounds.slice(1).map((end, at) => text.slice((bounds[at] ?? 0) + 1, end))
}

function sequence(inner: string): string[] | undefined {
  const [, from, to] = /^(\d{1,6})\.\.(\d{1,6})$/.exec(inner) ?? []
  if (!from || !to || /^0\d/.test(from) || /^0\d/.test(to)) return undefined
  const [first, last] = [Number(from), Number(to)]
  const count = Math.abs(last - first) + 1
  if (count > BRACES_MAX) return undefined
  const step = last < first ? -1 : 1
  return Array.from({ length: count }, (_, at) => String(first + at * step))
}
