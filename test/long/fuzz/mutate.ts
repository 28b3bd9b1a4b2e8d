import fc, { type Arbitrary } from 'fast-check'

/** Names that mean something to the language, to JSON Schema or to a file system. */
export const ODD_NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'length'],
  ...['', ' ', '0', '-1', 'null', '$ref', '$id', '.', '..', 'a/b', 'a~1b', '\0', '\ud800', '😀'],
]

const ODD_PIECES = [
  ...ODD_NAMES,
  ...['true', 'NaN', '-0', '1e999', '9007199254740993', '0x10', '１', '٣', '1_000', '+1'],
  ...['../../etc/passwd', '/', '\\', 'C:\\x', '//evil.invalid', '~', '*', '**', '{a,b}', '[a'],
  ...['http://[', 'http://a.invalid:99999', 'javascript:x', 'data:,x', 'mailto:', 'file:///x'],
  ...['http://127.0.0.1:9/', 'https://user:pass@a.invalid/', 'https://xn--a.invalid', 'https://'],
  ...['\r\nX: y', '\u2028', '\u202e', '\ufeff', '\u0085', '\u001b[31m', '\u0007', 'İ', 'ﬀ', 'ß'],
  ...['%', '%00', '%2f', '%E0%A4%A', '&amp;', '&#0;', '<!--', ']]>', '<b>', '{{x}}', '$' + '{x}'],
  ...["'", '"', '`', '|', '- ', '# ', '> ', '---\n', '\t', '\n', '=', ';', ',', ':', '@', '!'],
  ...['2026-02-30', '0000-00-00', '+275760-09-13', '2026-11-21T25:00:00Z', '12:60', 'Mars/Base'],
]

/** One of a hundred is long: what grows with the square shows itself, and the rest stays quick. */
const LONG = fc
  .tuple(
    fc.constantFrom(
      'x',
      'é',
      '😀',
      '\ud800',
      '[',
      '{"a":',
      '../',
      '*',
      '\n',
      ' ',
      '<',
      '&',
      '-',
      '(',
    ),
    fc.constantFrom(101, 501, 4_001, 40_000),
  )
  .map(([piece, times]) => piece.repeat(times))

/** Text that somebody would not have thought of. */
export const ODD_TEXT: Arbitrary<string> = fc.oneof(
  { weight: 50, arbitrary: fc.constantFrom(...ODD_PIECES) },
  { weight: 30, arbitrary: fc.string({ unit: 'binary' }) },
  {
    weight: 19,
    arbitrary: fc
      .array(fc.constantFrom(...ODD_PIECES, 'a', 'b', '1'), { maxLength: 8 })
      .map((all) => all.join('')),
  },
  { weight: 1, arbitrary: LONG },
)

const NUMBERS = [0, -0, 1, -1, 0.1, 1.5, 1e21, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 53 + 2]

const DEEP = fc
  .tuple(fc.constantFrom('[', '{"a":'), fc.constantFrom(3, 30, 600))
  .map(([open, depth]): unknown =>
    JSON.parse(`${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}`),
  )

/** A JSON value that does not belong there; names of the prototype are names like others. */
export const ODD_VALUE: Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<unknown>(null, true, false, '', [], {}, [[]], [null]) },
  { weight: 6, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 14, arbitrary: ODD_TEXT },
  { weight: 3, arbitrary: fc.array(ODD_TEXT, { maxLength: 8 }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: DEEP },
  // No text can be made of them.
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>({ toString: 1 }, { toString: null, valueOf: 1 }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...ODD_NAMES), fc.jsonValue({ maxDepth: 1 }))
      .map(([name, value]): unknown =>
        JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`),
      ),
  },
  { weight: 1, arbitrary: fc.constantFrom(9, 101, 2_000).map((most) => Array(most).fill('a')) },
)

type Change = { at: number; how: string; name: string; value: unknown }

const CHANGE: Arbitrary<Change> = fc.record({
  at: fc.nat(10_000),
  how: fc.constantFrom('replace', 'replace', 'text', 'remove', 'add', 'wrap', 'twin', 'move'),
  name: fc.constantFrom(...ODD_NAMES),
  value: ODD_VALUE,
})

type Node = { holder: Record<string, unknown>; key: string }

function nodesOf(value: unknown, nodes: Node[] = []): Node[] {
  if (typeof value !== 'object' || value === null || nodes.length > 2_000) return nodes
  for (const key of Object.keys(value)) {
    const holder = value as Record<string, unknown>
    nodes.push({ holder, key })
    nodesOf(holder[key], nodes)
  }
  return nodes
}

function put(holder: Record<string, unknown>, name: string, value: unknown): void {
  // As JSON.parse does it: a property, never the prototype.
  Object.defineProperty(holder, name, {
    ...{ value, enumerable: true, configurable: true, writable: true },
  })
}

function changed(root: { value: unknown }, { at, how, name, value: original }: Change): void {
  // Drawn once, changed each time.
  const value = structuredClone(original)
  const nodes = nodesOf(root)
  const node = nodes[at % nodes.length]
  if (!node) return
  const { holder, key } = node
  const here = holder[key]
  const other = nodes[(at * 31 + 7) % nodes.length]
  if (how === 'remove' && key !== 'value') {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  } else if (how === 'text' && typeof here === 'string') {
    const cut = at % (here.length + 1)
    holder[key] = here.slice(0, cut) + (typeof value === 'string' ? value : '') + here.slice(cut)
  } else if (how === 'add' && typeof here === 'object' && here !== null) {
    if (Array.isArray(here)) here.push(value)
    else put(here as Record<string, unknown>, name, value)
  } else if (how === 'wrap') put(holder, key, at % 2 ? [here] : { [name || 'x']: here })
  else if (how === 'twin' && Array.isArray(here)) here.push(...structuredClone(here))
  else if (how === 'move' && other) put(holder, key, structuredClone(other.holder[other.key]))
  else put(holder, key, value)
}

/** One of `seeds`, valid or with a few things in it replaced, moved, doubled, taken away. */
function mutated(...seeds: readonly unknown[]): Arbitrary<unknown> {
  return fc
    .tuple(fc.constantFrom(...seeds), fc.array(CHANGE, { maxLength: 4 }))
    .map(([seed, changes]) => {
      const root = { value: structuredClone(seed) }
      for (const change of changes) changed(root, change)
      return root.value
    })
}

/** Nearly valid, or anything at all. */
export function nearly(...seeds: readonly unknown[]): Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: mutated(...seeds) }, { weight: 1, arbitrary: ODD_VALUE })
}

type Cut = { at: number; how: string; piece: string; size: number }

function cutText(text: string, { at, how, piece, size }: Cut): string {
  const place = at % (text.length + 1)
  const [before, after] = [text.slice(0, place), text.slice(place)]
  if (how === 'insert') return before + piece + after
  if (how === 'replace') return before + piece + after.slice(size)
  if (how === 'remove') return before + after.slice(size)
  if (how === 'truncate') return before
  if (how === 'twin') return before + after.slice(0, size * 4).repeat(2) + after.slice(size * 4)
  const code = after.charCodeAt(0)
  return (
    before +
    String.fromCharCode((Number.isNaN(code) ? 0 : code) ^ (1 << (size % 16))) +
    after.slice(1)
  )
}

/** One of `seeds` with a few cuts; `pieces` are words of its language. */
export function mutatedText(
  seeds: readonly string[],
  pieces: readonly string[] = ODD_PIECES,
): Arbitrary<string> {
  const cut = fc.record({
    at: fc.nat(1_000_000),
    how: fc.constantFrom('insert', 'insert', 'replace', 'remove', 'truncate', 'twin', 'flip'),
    piece: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...pieces) }, ODD_TEXT),
    size: fc.nat(60),
  })
  return fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .tuple(fc.constantFrom(...seeds), fc.array(cut, { maxLength: 5 }))
        .map(([seed, cuts]) => cuts.reduce(cutText, seed)),
    },
    { weight: 1, arbitrary: ODD_TEXT },
  )
}

/** JSON text of `value`, now and then with what only text can have: doubled keys, numbers too large. */
export function asJsonText(value: Arbitrary<unknown>): Arbitrary<string> {
  const how = fc.constantFrom('as it is', 'as it is', 'as it is', 'double', 'huge', 'cut', 'marked')
  return fc.tuple(value, how, fc.nat(100_000)).map(([original, done, at]) => {
    const text = JSON.stringify(original) ?? 'null'
    if (done === 'double') return text.replace(/"([^"\\]+)":/, '"$1":null,"$1":')
    if (done === 'huge') return text.replace(/:-?\d+(\.\d+)?/, ':1e999')
    if (done === 'cut') return text.slice(0, at % (text.length + 1))
    return done === 'marked' ? `\ufeff${text}` : text
  })
}

/** Bytes of one of `seeds`: bits turned, a piece cut away, put in or doubled. */
export function mutatedBytes(...seeds: readonly Uint8Array[]): Arbitrary<Uint8Array> {
  const spoil = fc.record({
    at: fc.nat(10_000_000),
    how: fc.constantFrom('flip', 'flip', 'byte', 'cut', 'insert', 'zero', 'end'),
    size: fc.nat(600),
    byte: fc.nat(255),
  })
  return fc
    .tuple(fc.constantFrom(...seeds), fc.array(spoil, { maxLength: 5 }))
    .map(([seed, spoils]) => {
      let bytes = new Uint8Array(seed)
      for (const { at, how, size, byte } of spoils) {
        const place = at % (bytes.length || 1)
        const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)]
        if (how === 'flip' && after[0] !== undefined) after[0] ^= 1 << (byte % 8)
        else if (how === 'byte') after.fill(byte, 0, 1)
        else if (how === 'zero') after.fill(0, 0, size)
        else if (how === 'end') bytes = before
        else if (how === 'cut') bytes = joined(before, after.subarray(size))
        else bytes = joined(before, new Uint8Array(size).fill(byte), after)
      }
      return bytes
    })
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts))
}
