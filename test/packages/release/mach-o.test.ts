import { expect, test } from 'bun:test'
import { checkMachO, signAdHoc } from '../../../packages/release/mach-o.ts'

const PAGE = 4096
const HEADER = 32
const SEGMENT = 72
const TEXT = 3 * PAGE
const LINK_EDIT = 1000
const UNSIGNED = TEXT + LINK_EDIT
const STALE = 500

/** A small file of Mach-O with a signature that holds no longer, as a changed runtime has. */
function machO(): Buffer {
  const bytes = Buffer.alloc(UNSIGNED + STALE, 7)
  const header = [0xfeedfacf, 0x01000007, 3, 2, 3, 2 * SEGMENT + 16, 0, 0]
  for (const [i, value] of header.entries()) bytes.writeUInt32LE(value, i * 4)
  segment(bytes, HEADER, '__TEXT', 0, TEXT)
  segment(bytes, HEADER + SEGMENT, '__LINKEDIT', TEXT, LINK_EDIT + STALE)
  const signed = [0x1d, 16, UNSIGNED, STALE]
  for (const [i, value] of signed.entries()) {
    bytes.writeUInt32LE(value, HEADER + 2 * SEGMENT + i * 4)
  }
  return bytes
}

function segment(bytes: Buffer, at: number, name: string, from: number, size: number) {
  bytes.fill(0, at, at + SEGMENT)
  bytes.writeUInt32LE(0x19, at)
  bytes.writeUInt32LE(SEGMENT, at + 4)
  bytes.write(name, at + 8)
  bytes.writeBigUInt64LE(BigInt(size), at + 32)
  bytes.writeBigUInt64LE(BigInt(from), at + 40)
  bytes.writeBigUInt64LE(BigInt(size), at + 48)
}

test('a signature that holds no longer is seen, and one of ours takes its place', () => {
  expect(() => checkMachO(machO())).toThrow('super blob')
  const signed = signAdHoc(machO(), 'beckon')
  expect(checkMachO(signed)).toEqual({ identifier: 'beckon', isAdHoc: true, pages: 4 })
  expect(signAdHoc(signed, 'beckon')).toEqual(signed)
})

test('any byte before the signature counts', () => {
  const signed = signAdHoc(machO(), 'beckon')
  for (const at of [HEADER + 5 * SEGMENT, PAGE, 2 * PAGE - 1, TEXT, UNSIGNED - 1]) {
    const changed = Buffer.from(signed)
    changed[at] = (changed[at] ?? 0) ^ 1
    const page = Math.floor(at / PAGE)
    expect(() => checkMachO(changed)).toThrow(`The hash of page ${page} of 4 is wrong.`)
  }
})

test('a file that was cut, or is of another kind, is refused', () => {
  const signed = signAdHoc(machO(), 'beckon')
  for (const end of [10, PAGE, signed.length - 1]) {
    expect(() => checkMachO(signed.subarray(0, end))).toThrow()
  }
  expect(() => checkMachO(Buffer.from('\x7fELF'.padEnd(100)))).toThrow('not a 64-bit Mach-O')
})
