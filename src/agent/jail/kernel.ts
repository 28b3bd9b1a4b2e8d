import { dlopen, FFIType, ptr, read } from 'bun:ffi'

/** A word for the kernel: a number, or the address of something that it reads. */
export type Word = number | Pointed

/** Bytes, a list of texts, or a filter. */
export type Pointed = Uint8Array | Texts | Filter

/** Instructions of eight bytes each, which the kernel takes with their count. */
export type Filter = { instructions: Uint8Array }

/** Texts that each end in a zero byte, and where each begins, as `execve` takes its arguments. */
export type Texts = { bytes: Uint8Array; starts: readonly number[] }

const X64 = {
  chdir: 80,
  close: 3,
  execve: 59,
  execveat: 322,
  exit_group: 231,
  fcntl: 72,
  ftruncate: 77,
  landlock_add_rule: 445,
  landlock_create_ruleset: 444,
  landlock_restrict_self: 446,
  memfd_create: 319,
  mkdirat: 258,
  mount: 165,
  mount_setattr: 442,
  openat: 257,
  prctl: 157,
  prlimit64: 302,
  rt_sigaction: 13,
  seccomp: 317,
  symlinkat: 266,
  unshare: 272,
  utimensat: 280,
  write: 1,
}

type Numbers = Readonly<Record<keyof typeof X64, number>>

const ARM64: Numbers = {
  chdir: 49,
  close: 57,
  execve: 221,
  execveat: 281,
  exit_group: 94,
  fcntl: 25,
  ftruncate: 46,
  landlock_add_rule: 445,
  landlock_create_ruleset: 444,
  landlock_restrict_self: 446,
  memfd_create: 279,
  mkdirat: 34,
  mount: 40,
  mount_setattr: 442,
  openat: 56,
  prctl: 167,
  prlimit64: 261,
  rt_sigaction: 134,
  seccomp: 277,
  symlinkat: 36,
  unshare: 97,
  utimensat: 88,
  write: 64,
}

const NUMBERS: Readonly<Record<string, Numbers>> = { x64: X64, arm64: ARM64 }

// glibc, then musl on both machines.
const LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1']

/** The kernel of Linux, called without anything in between. */
export type Kernel = {
  numbers: Numbers
  /** The result of the call; the negative error number if it failed. */
  call(name: keyof Numbers, ...words: Word[]): number
}

/** Undefined on any system but Linux, and on machines whose system calls are not known here. */
export function openKernel(): Kernel | undefined {
  const numbers = process.platform === 'linux' ? NUMBERS[process.arch] : undefined
  const libc = numbers && openLibrary(LIBRARIES)
  if (!numbers || !libc) return undefined
  const { syscall, __errno_location: errno } = libc.symbols
  return {
    numbers,
    call(name, ...words) {
      // One loop without functions, because there is no time to compile them here. The memory that
      // is pointed to is kept alive until the call is done.
      const buffers: Uint8Array[] = []
      const callArguments = [0, 0, 0, 0, 0, 0]
      for (let at = 0; at < words.length; at++) {
        const word = words[at] ?? 0
        if (typeof word === 'object') {
          const bytes =
            'starts' in word
              ? addressesOf(word)
              : 'instructions' in word
                ? filterProgramOf(word)
                : word
          buffers.push(bytes)
          callArguments[at] = ptr(bytes)
        } else callArguments[at] = word
      }
      const { 0: a = 0, 1: b = 0, 2: c = 0, 3: d = 0, 4: e = 0, 5: f = 0 } = callArguments
      const returned = Number(syscall(numbers[name], a, b, c, d, e, f))
      buffers.length = 0
      if (returned !== -1) return returned
      const error = errno()
      return error === null ? returned : -read.i32(error, 0)
    },
  }
}

/** Text as the kernel reads it. */
export function cText(text: string): Uint8Array {
  return Buffer.from(`${text}\0`)
}

/** The texts in `bytes`; the last one must end in a zero byte too. */
export function textsIn(bytes: Uint8Array): Texts {
  const starts: number[] = []
  for (let at = 0; at < bytes.length; at = bytes.indexOf(0, at) + 1) starts.push(at)
  return { bytes, starts }
}

export function textsOf(texts: readonly string[]): Texts {
  return textsIn(Buffer.from(texts.map((text) => `${text}\0`).join('')))
}

/** The same texts, with others in front of the one at `index`. */
export function withTexts(
  { bytes, starts }: Texts,
  index: number,
  texts: readonly string[],
): Texts {
  const more = textsOf(texts)
  const moved = more.starts.map((start) => bytes.length + start)
  return {
    bytes: Buffer.concat([bytes, more.bytes]),
    starts: [...starts.slice(0, index), ...moved, ...starts.slice(index)],
  }
}

/** A list of addresses that ends in a zero. The caller must keep the texts alive as well. */
export function addressesOf({ bytes, starts }: Texts): Uint8Array {
  const row = new BigUint64Array(starts.length + 1)
  const begin = starts.length === 0 ? 0 : ptr(bytes)
  for (let at = 0; at < starts.length; at++) row[at] = BigInt(begin + (starts[at] ?? 0))
  return new Uint8Array(row.buffer)
}

/** The caller must keep the filter alive as well. */
function filterProgramOf({ instructions }: Filter): Uint8Array {
  return new Uint8Array(
    BigUint64Array.of(BigInt(instructions.length / 8), BigInt(ptr(instructions))).buffer,
  )
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
      // The next library may exist.
    }
  }
  return undefined
}
