import type { Filter, Kernel, Pointed, Texts, Word } from './kernel.ts'

/** The number that an earlier step returned; at most two steps use it. */
type Returned = { by: Step }

/** One call of the kernel. */
export type Step = {
  call: keyof Kernel['numbers']
  words: ReadonlyArray<Word | Returned>
  /** The steps to take if it fails, in place of all that follow; without them it goes on. */
  orElse?: readonly Step[]
}

// One loop: load the number and the words of a step, call the kernel, store what it returned, and
// go on with the next step or, on an error, with the one that the step names. The zeros are the
// address of the first step. The listings are in docs/jail.md.
const CODE: Readonly<Record<string, { machine: number; hex: string; first: number }>> = {
  x64: {
    machine: 62,
    hex: '48bb0000000000000000488b03488b7b08488b7310488b53184c8b53204c8b43284c8b4b300f05488b4b38488901488b4b48488901483d01f0ffff73064883c350ebc7488b4b404885c974f14889cbebb9',
    first: 2,
  },
  arm64: {
    machine: 183,
    hex: '53020058680240f9608640a9628e41a9649642a9010000d4691e40f9200100f9692640f9200100f91ffc3fb16200005473420191f4ffff17692240f9a9ffffb4f30309aaf0ffff170000000000000000',
    first: 72,
  },
}

const HEADER = 64
const SEGMENT = 56
const SEGMENTS = 3
const STEP = 80
// The offsets in a step of the addresses for its result and of its step for errors.
const RESULTS = [56, 72]
const OTHER = 64
// As far apart as the largest pages.
const PAGE = 0x10000
const BASE = 0x10000000
const DATA = BASE + PAGE

/**
 * A program of one thread that makes these calls, one after the other, and has no other memory.
 * User namespaces cannot be entered by a process with several threads, and this one always has
 * some. The result is an executable in two parts, with the place of each in the file; undefined for
 * machines it is not written for.
 */
export function programImage(
  arch: string,
  numbers: Kernel['numbers'],
  steps: readonly Step[],
): { head: Uint8Array; data: Uint8Array; dataAt: number } | undefined {
  const code = CODE[arch]
  if (!code) return undefined
  const data = layOut(numbers, steps)
  const head = Buffer.alloc(HEADER + SEGMENTS * SEGMENT + code.hex.length / 2)
  const entry = HEADER + SEGMENTS * SEGMENT
  head.write('7f454c46020101', 0, 'hex')
  head.writeUInt16LE(2, 16)
  head.writeUInt16LE(code.machine, 18)
  head.writeUInt32LE(1, 20)
  head.writeBigUInt64LE(BigInt(BASE + entry), 24)
  head.writeBigUInt64LE(BigInt(HEADER), 32)
  head.writeUInt16LE(HEADER, 52)
  head.writeUInt16LE(SEGMENT, 54)
  head.writeUInt16LE(SEGMENTS, 56)
  segment(head, 0, { type: LOAD, flags: READ | EXECUTE, at: 0, size: head.length })
  segment(head, 1, { type: LOAD, flags: READ | WRITE, at: PAGE, size: data.length })
  segment(head, 2, { type: STACK, flags: READ | WRITE, at: 0, size: 0 })
  head.write(code.hex, entry, 'hex')
  head.writeBigUInt64LE(BigInt(DATA), entry + code.first)
  return { head, data, dataAt: PAGE }
}

const LOAD = 1
const STACK = 0x6474e551
const EXECUTE = 1
const WRITE = 2
const READ = 4

function segment(
  head: Buffer,
  index: number,
  { type, flags, at, size }: { type: number; flags: number; at: number; size: number },
): void {
  const row = HEADER + index * SEGMENT
  const address = type === LOAD ? BASE + at : 0
  head.writeUInt32LE(type, row)
  head.writeUInt32LE(flags, row + 4)
  const longs = [at, address, address, size, size, type === LOAD ? PAGE : 16]
  for (const [i, long] of longs.entries()) head.writeBigUInt64LE(BigInt(long), row + 8 + i * 8)
}

/**
 * The table of the steps, with those for errors after the others, then the data that they point to.
 */
function layOut(numbers: Kernel['numbers'], steps: readonly Step[]): Uint8Array {
  const { table, begins } = inOneRow(steps)
  // Where results are stored that nobody needs.
  const nowhere = DATA + table.length * STEP
  const data = new Data(nowhere + STEP)
  // Writes the lower half of a word, then the upper one; every address fits into the lower, and
  // large integers are slow. Each start runs this once, before anything is compiled, which is why
  // it loops over numbers without iterators and functions.
  const halves = new Uint32Array(((table.length + 1) * STEP) / 4)
  const users = new Map<Step, number[]>()
  for (let at = 0; at < table.length; at++) {
    const row = at * (STEP / 4)
    const { call, words, orElse } = table[at] as Step
    halves[row] = numbers[call]
    for (let i = 0; i < words.length; i++) {
      const word = words[i] ?? 0
      const place = row + 2 + i * 2
      if (typeof word === 'number') {
        halves[place] = word
        halves[place + 1] = Math.floor(word / 2 ** 32)
      } else if ('by' in word) users.set(word.by, [...(users.get(word.by) ?? []), place])
      else halves[place] = data.places.get(word) ?? data.put(word)
    }
    for (const result of RESULTS) halves[row + result / 4] = nowhere
    if (orElse) halves[row + OTHER / 4] = DATA + (begins.get(orElse) ?? 0) * STEP
  }
  for (const [step, places] of users) {
    const row = table.indexOf(step) * (STEP / 4)
    for (const [i, place] of places.entries())
      halves[row + (RESULTS[i] ?? OTHER) / 4] = DATA + place * 4
  }
  return data.after(new Uint8Array(halves.buffer))
}

function inOneRow(steps: readonly Step[]) {
  const table = [...steps]
  const begins = new Map<readonly Step[], number>()
  for (let at = 0; at < table.length; at++) {
    const other = table[at]?.orElse
    if (!other || begins.has(other)) continue
    begins.set(other, table.length)
    table.push(...other)
  }
  return { table, begins }
}

/** The data that words of steps point to, each item once. */
class Data {
  readonly #begin: number
  #end: number
  /** The addresses of what was put there. */
  readonly places = new Map<Pointed, number>()
  readonly #parts: Array<{ at: number; bytes: Uint8Array }> = []

  constructor(begin: number) {
    this.#begin = begin
    this.#end = begin
  }

  /** Returns its address. */
  put(word: Pointed): number {
    const bytes =
      'starts' in word ? this.#rowOf(word) : 'instructions' in word ? this.#countedOf(word) : word
    const place = this.#add(bytes)
    this.places.set(word, place)
    return place
  }

  /** The bytes before it, and everything that was put there. */
  after(before: Uint8Array): Uint8Array {
    const all = new Uint8Array(before.length + this.#end - this.#begin)
    all.set(before)
    for (const { at, bytes } of this.#parts) all.set(bytes, before.length + at - this.#begin)
    return all
  }

  #rowOf({ bytes, starts }: Texts): Uint8Array {
    const begin = this.#add(bytes)
    const row = new Uint32Array((starts.length + 1) * 2)
    for (let at = 0; at < starts.length; at++) row[at * 2] = begin + (starts[at] ?? 0)
    return new Uint8Array(row.buffer)
  }

  #countedOf({ instructions }: Filter): Uint8Array {
    return new Uint8Array(
      Uint32Array.of(instructions.length / 8, 0, this.#add(instructions), 0).buffer,
    )
  }

  #add(bytes: Uint8Array): number {
    const at = this.#end
    this.#parts.push({ at, bytes })
    // The next one begins at a multiple of eight.
    this.#end += Math.ceil(bytes.length / 8) * 8
    return at
  }
}
