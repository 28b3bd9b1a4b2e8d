import { cutText } from '../text.ts'
import { barOf } from './bar.ts'
import { FINDERS } from './finders.ts'
import type { SecretSpan } from './secret-span.ts'

// How much of a text is read, in UTF-16 units; limits the work.
const READ_MAX = 65_536
// Near the end of the text a secret may be cut off, and no longer match.
const TAIL = 4_096
// Text next to a secret may be a secret itself, which only shows once the first is gone.
const ROUNDS_MAX = 4

/** The context of a text beside its letters. */
type RedactContext = {
  /** Secrets that are known by their place, in order and apart. */
  secrets?: readonly SecretSpan[]
  /** The parts of a secret that may be hidden; undefined: all of it. */
  within?: ((place: SecretSpan) => SecretSpan[]) | undefined
  /** The text with `PUT_IN` for every letter of an expansion, which a secret may be glued to. */
  masked?: string | undefined
}

/**
 * The first `most` code points of `text`, with `▇▇▇ (what it was)` in place of each secret. It
 * redacts before it cuts, so that no half of a secret stays. The work is linear in the length of
 * the text, and doing it twice changes nothing.
 */
export function redactSecrets(
  text: string,
  most = Number.POSITIVE_INFINITY,
  context: RedactContext = {},
): string {
  const whole = text.length <= READ_MAX
  const read = whole ? text : text.slice(0, READ_MAX)
  const masked = barredText(read, findSecrets(read, context))
  return cutText(whole ? masked : masked.slice(0, -TAIL), most)
}

/** The secrets in a text, in its order and apart. */
export function findSecrets(
  text: string,
  { secrets = [], within, masked }: RedactContext = {},
): SecretSpan[] {
  let places = masked === undefined ? [...secrets] : findSecrets(masked, { secrets, within })
  let maskedText = barredText(text, places)
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = maskedText
    for (const find of FINDERS) {
      const more = placesIn(text, places, find(maskedText))
      if (more.length === 0) continue
      places = joined(places, within ? more.flatMap(within) : more)
      maskedText = barredText(text, places)
    }
    if (maskedText === before) break
  }
  return places
}

function barredText(text: string, places: readonly SecretSpan[]): string {
  let maskedText = ''
  let at = 0
  for (const one of places) {
    maskedText += text.slice(at, one.from) + barOf(one.what)
    at = one.to
  }
  return maskedText + text.slice(at)
}

/** Where in `text` is what was found in the text with the bars of `found`. */
function placesIn(
  text: string,
  places: readonly SecretSpan[],
  maskedPlaces: readonly SecretSpan[],
): SecretSpan[] {
  let next = 0
  // How much longer the shown text is than the text, up to the bar that is next.
  let longer = 0
  const place = (position: number, isEnd: boolean): number => {
    for (; next < places.length; next++) {
      const bar = places[next] as SecretSpan
      const start = bar.from + longer
      const length = barOf(bar.what).length
      if (position <= start) break
      if (position < start + length) return isEnd ? bar.to : bar.from
      longer += length - (bar.to - bar.from)
    }
    return Math.min(text.length, position - longer)
  }
  return maskedPlaces.map(({ from, to, what }) => ({
    from: place(from, false),
    to: place(to, true),
    what,
  }))
}

/** Both lists as one, in order; what overlaps is one secret, by the name that was found last. */
function joined(places: readonly SecretSpan[], more: readonly SecretSpan[]): SecretSpan[] {
  const all = [
    ...places.map((one) => ({ ...one, isNew: false })),
    ...more.map((one) => ({ ...one, isNew: true })),
  ]
  all.sort((a, b) => a.from - b.from || a.to - b.to)
  const apart: typeof all = []
  for (const one of all) {
    const last = apart.at(-1)
    if (!last || one.from >= last.to) apart.push({ ...one })
    else {
      last.to = Math.max(last.to, one.to)
      if (one.isNew) last.what = one.what
      last.isNew ||= one.isNew
    }
  }
  return apart.map(({ from, to, what }) => ({ from, to, what }))
}
