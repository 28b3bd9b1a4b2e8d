import type { Step } from './program-image.ts'

// From include/uapi/linux/seccomp.h, bpf_common.h and audit.h.
const SET_MODE_FILTER = 1
const LOAD = 0x20
const IF_EQUAL = 0x15
const AND = 0x54
const RETURN = 0x06
const ALLOWED = 0x7fff0000
const EPERM = 0x00050001
// Where a filter finds the number of the call, the machine, and the halves of its words.
const NUMBER = 0
const MACHINE = 4
const lowOf = (index: number) => 16 + index * 8
const highOf = (index: number) => lowOf(index) + 4
// Marks the calls of x32 on x64.
const X32 = 0x40000000

/** `prlimit64` of this machine, and of the older one whose programs it runs too. */
const CALLS: Readonly<Record<string, { own: Numbered; older: Numbered }>> = {
  x64: { own: { machine: 0xc000003e, call: 302 }, older: { machine: 0x40000003, call: 340 } },
  arm64: { own: { machine: 0xc00000b7, call: 261 }, older: { machine: 0x40000028, call: 369 } },
}

type Numbered = { machine: number; call: number }

/**
 * Refuses `prlimit64` with new limits for another process: Landlock does not, and a client that may
 * start no more processes starts no hook. A program that names itself by its id is refused too,
 * because a filter does not know that id; libraries pass zero.
 */
export function limitsOfOthers(): Step[] {
  const calls = CALLS[process.arch]
  if (!calls) return []
  const instructions = new Uint8Array(Uint32Array.from(filterOf(calls)).buffer)
  return [{ call: 'seccomp', words: [SET_MODE_FILTER, 0, { instructions }] }]
}

/** A jump skips as many instructions as it names. */
function filterOf({ own, older }: { own: Numbered; older: Numbered }): number[] {
  const code = (operation: number, skipped = { yes: 0, no: 0 }) =>
    operation | (skipped.yes << 16) | (skipped.no << 24)
  return [
    ...[code(LOAD), MACHINE],
    ...[code(IF_EQUAL, { yes: 0, no: 3 }), own.machine],
    ...[code(LOAD), NUMBER],
    ...[code(AND), ~X32],
    ...[code(IF_EQUAL, { yes: 3, no: 10 }), own.call],
    ...[code(IF_EQUAL, { yes: 0, no: 9 }), older.machine],
    ...[code(LOAD), NUMBER],
    ...[code(IF_EQUAL, { yes: 0, no: 7 }), older.call],
    // The process, then the new limits.
    ...[code(LOAD), lowOf(0)],
    ...[code(IF_EQUAL, { yes: 5, no: 0 }), 0],
    ...[code(LOAD), lowOf(2)],
    ...[code(IF_EQUAL, { yes: 0, no: 2 }), 0],
    ...[code(LOAD), highOf(2)],
    ...[code(IF_EQUAL, { yes: 1, no: 0 }), 0],
    ...[code(RETURN), EPERM],
    ...[code(RETURN), ALLOWED],
  ]
}
