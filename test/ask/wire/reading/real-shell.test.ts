import { expect, test } from 'bun:test'
import { settle } from '../../../../src/ask/wire/reading/own-programs.ts'
import { readCommandText } from '../../../../src/ask/wire/reading/read.ts'
import type { Command, Word } from '../../../../src/ask/wire/reading/reading.ts'
import { summaryOf } from '../../../../src/ask/wire/reading/summary.ts'
import { SEED } from '../../../support/seed.ts'
import { howOften } from '../../../support/share.ts'
import { canSandbox, type RealCall, runTexts } from './shell-sandbox.ts'
import { choosing, shellText } from './shell-texts.ts'

// Every program call that a shell makes for a text that was read to its end is in the reading, with
// its words. Examples found none of the faults that this finds.
const BATCH = 500

for (const shell of ['/usr/bin/bash', '/usr/bin/zsh']) {
  const isThere = canSandbox && Bun.which(shell) !== null
  test.skipIf(!isThere)(
    `${shell} starts nothing that a complete reading leaves out (seed ${SEED})`,
    () => {
      const choose = choosing(SEED)
      const all = howOften(2_000, 100_000, 250)
      let left = all
      let calls = 0
      while (left > 0) {
        const texts = completeTexts(choose, Math.min(left, BATCH))
        left -= texts.length
        for (const status of [0, 1] as const) calls += compare(shell, texts, status)
      }
      expect(calls).toBeGreaterThan(all / 10)
    },
    3_600_000,
  )
}

function completeTexts(choose: ReturnType<typeof choosing>, count: number): string[] {
  const texts: string[] = []
  while (texts.length < count) {
    const text = shellText(choose)
    if (isComplete(text)) texts.push(text)
  }
  return texts
}

// No program of ours, but one that a workspace may know.
const OWN = [{ name: 'nosuch', kind: 'words' }] as const

function isComplete(text: string): boolean {
  const reading = readCommandText(text)
  if (reading.open.every(({ why }) => why !== 'program')) return reading.open.length === 0
  return settle(summaryOf(reading, text, []), OWN).open.length === 0
}

function compare(shell: string, texts: readonly string[], status: 0 | 1): number {
  let calls = 0
  runTexts(shell, texts, status).forEach((real, at) => {
    const text = texts[at] as string
    const { commands } = readCommandText(text)
    for (const call of real) {
      calls++
      const isForeseen = commands.some((command) => isSame(command, call))
      if (!isForeseen) {
        throw new Error(
          `Not foreseen: ${JSON.stringify(call)}\nin: ${text}\nread: ${spell(commands)}`,
        )
      }
    }
  })
  return calls
}

export function isSame({ program, words }: Command, [name, ...args]: RealCall): boolean {
  return (program.split('/').at(-1) ?? program) === name && matches(words, args)
}

function matches(words: readonly Word[], args: readonly string[]): boolean {
  const [word, ...others] = words
  if (!word) return args.length === 0
  if (word.many && matches(others, args)) return true
  const [first, ...rest] = args
  if (first === undefined || !matchesOne(word, first)) return false
  // What comes after the first of several has no known beginning.
  const next: Word = { ...word, prefix: '' }
  return matches(others, rest) || (word.many === true && matches([next, ...others], rest))
}

function matchesOne({ sure, text, base, prefix }: Word, value: string): boolean {
  if (sure === 'text') return value === (base ? `${BASES[base]}${text}` : text)
  if (sure === 'number') return /^-?\d+$/.test(value)
  return value.startsWith(base ? '' : (prefix ?? ''))
}

const BASES = { home: '/home/u', here: '/w/d' }

function spell(commands: readonly Command[]): string {
  return commands
    .map(({ program, words }) => [program, ...words.map(({ text }) => text)].join(' '))
    .join(' ; ')
}
