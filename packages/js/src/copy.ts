/**
 * A deep copy of a value that a person can be shown whole: plain objects, lists, dates, text, finite
 * numbers, booleans and null. What it holds later is what it held now, and what JSON shows of it is
 * all of it. Members that are undefined are left out. Throws `TypeError` for anything else, with its
 * name and its place.
 */
export function copyOf(value: unknown, place = '', inside: readonly object[] = []): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return whole(value, place)
  // JSON has no minus zero.
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0
  if (value === undefined || typeof value === 'number') throw refusal(place, String(value))
  if (typeof value !== 'object') throw refusal(place, `a ${typeof value}`)
  if (inside.includes(value)) throw refusal(place, 'a value that contains itself')
  const within = [...inside, value]
  // Arrays and objects of other realms have prototypes of their own, but as many.
  const depth = depthOf(value)
  if (Array.isArray(value) && depth === 2) {
    return Array.from(value, (one, at) => copyOf(one, `${place}[${at}]`, within))
  }
  if (value instanceof Date && Object.getPrototypeOf(value) === Date.prototype) {
    const time = Date.prototype.getTime.call(value)
    if (!Number.isNaN(time)) return new Date(time)
  } else if (depth < 2) {
    const members = Object.entries(value).filter(([, one]) => one !== undefined)
    return Object.fromEntries(
      members.map(([name, one]) => [
        whole(name, place),
        copyOf(one, place === '' ? name : `${place}.${name}`, within),
      ]),
    )
  }
  const { name } = Object.getPrototypeOf(value)?.constructor ?? {}
  throw refusal(place, value instanceof Date ? 'no valid date' : `a ${name || 'class instance'}`)
}

function depthOf(value: object): number {
  let depth = 0
  for (let at = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) depth++
  return depth
}

function whole(text: string, place: string): string {
  if (/\p{Surrogate}/u.test(text)) throw refusal(place, 'text with half a surrogate pair')
  return text
}

function refusal(place: string, what: string): TypeError {
  const where = place === '' ? 'The value' : place
  return new TypeError(
    `${where} is ${what}. Only plain objects, lists, dates, text, finite numbers, booleans and null can be shown whole.`,
  )
}
