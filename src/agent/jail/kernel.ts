import { dlopen, FFIType, ptr, read } from 'bun:ffi'

/** A word for the kernel: a number, or the address of bytes or of a row of texts that it reads. */
export type Word = number | bigint | Uint8Array | Texts

/** Texts that end in a zero each, as `execve` takes its arguments. */
export type Texts = { texts: readonly Uint8Array[] }

type Numbers = Readonly<Record<(typeof NAMES)[number], number>>

const NAMES = [
  'chdir',
  'close',
  'execve',
  'execveat',
  'exit_group',
  'fcntl',
  'landlock_add_rule',
  'landlock_create_ruleset',
  'landlock_restrict_self',
  'memfd_create',
  'mount',
  'mount_setattr',
  'openat',
  'prctl',
  'prlimit64',
  'rt_sigaction',
  'unshare',
  'write',
] as const

// In the order of the names above.
const NUMBERS: Readonly<Record<string, readonly number[]>> = {
  x64: [80, 3, 59, 322, 231, 72, 445, 444, 446, 319, 165, 442, 257, 157, 302, 13, 272, 1],
  arm64: [49, 57, 221, 281, 94, 25, 445, 444, 446, 279, 40, 442, 56, 167, 261, 134, 97, 64],
}

// glibc, then musl on both machines.
const LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1']

/** The kernel of Linux, called without anything in between. */
export type Kernel = {
  numbers: Numbers
  /** What the call returns; what failed is the negative number of its error. */
  call(name: keyof Numbers, ...words: Word[]): number
}

/** Undefined where there is no Linux, or one whose calls are not known here. */
export function openKernel(): Kernel | undefined {
  const known = process.platform === 'linux' ? NUMBERS[process.arch] : undefined
  const libc = known && openLibrary(LIBRARIES)
  if (!known || !libc) return undefined
  const numbers = Object.fromEntries(NAMES.map((name, at) => [name, known[at]])) as Numbers
  const { syscall, __errno_location: errno } = libc.symbols
  return {
    numbers,
    call(name, ...words) {
      // One loop and no functions in it: there is no time here for them to be compiled. What is
      // pointed to is held until the call is done.
      const held: Uint8Array[] = []
      const given: Array<number | bigint> = [0, 0, 0, 0, 0, 0]
      for (let at = 0; at < words.length; at++) {
        const word = words[at] ?? 0
        if (typeof word === 'object') {
          const bytes = 'texts' in word ? addressesOf(word.texts) : word
          held.push(bytes)
          given[at] = ptr(bytes)
        } else given[at] = word
      }
      const { 0: a = 0, 1: b = 0, 2: c = 0, 3: d = 0, 4: e = 0, 5: f = 0 } = given
      const returned = Number(syscall(numbers[name], a, b, c, d, e, f))
      held.length = 0
      if (returned !== -1) return returned
      const error = errno()
      return error === null ? returned : -read.i32(error, 0)
    },
  }
}

/** Text as the kernel reads it. */
export function cText(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string'
    ? Buffer.from(`${text}\0`)
    : Buffer.concat([text, Buffer.alloc(1)])
}

export function isTexts(word: unknown): word is Texts {
  return typeof word === 'object' && word !== null && 'texts' in word
}

/** A row of addresses that ends in a zero. Whoever has it must hold the texts as well. */
export function addressesOf(texts: readonly Uint8Array[]): Uint8Array {
  const row = new BigUint64Array(texts.length + 1)
  for (const [at, text] of texts.entries()) row[at] = BigInt(ptr(text))
  return new Uint8Array(row.buffer)
}

const WORD = FFIType.i64
const SYMBOLS = {
  syscall: { args: [WORD, WORD, WORD, WORD, WORD, WORD, WORD], returns: FFIType.i64_fast },
  __errno_location: { args: [], returns: FFIType.ptr },
} as const

function openLibrary(names: readonly string[]) {
  for (const name of names) {
    try {
      return dlopen(name, SYMBOLS)
    } catch {
      // The next one may be there.
    }
  }
  return undefined
}
