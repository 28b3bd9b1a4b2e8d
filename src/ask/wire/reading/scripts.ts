import { addCommand } from './commands.ts'
import { isRefused, readOptions } from './options.ts'
import type { Word } from './reading.ts'
import { noteWrite } from './redirects.ts'
import { readRow } from './row.ts'
import type { SpecialCall } from './started.ts'

const SED = readRow(
  'sed | reads | -n -E -r -e=t -f=r -s -z -u -l=t --expression=t --quiet --silent --regexp-extended --null-data --separate -i?t --in-place?t | r',
)

/** `sed`: its script may run commands and write files (e, w), so that it is read. */
export function readSed(one: SpecialCall): void {
  const { name, words, call, state, frame } = one
  const parsedOptions = readOptions(words, SED)
  const isInPlace = parsedOptions.options.some(
    (option) => option === '-i' || option === '--in-place',
  )
  addCommand(name, words, call, state, frame, {
    does: isInPlace ? 'writes' : 'reads',
    touches: 'named',
  })
  if (isRefused(parsedOptions, frame)) return
  const scripts = parsedOptions.values.filter(
    ({ option }) => option === '-e' || option === '--expression',
  )
  const files = [...parsedOptions.operands]
  // BSD's `sed -i '' script file` has an empty word first.
  if (isInPlace && files[0]?.sure === 'text' && files[0].text === '') files.shift()
  if (parsedOptions.options.includes('-f')) {
    frame.gap('code', call.at, name)
    return
  }
  const first = scripts.length > 0 ? scripts.map(({ word }) => word) : files.splice(0, 1)
  for (const script of first) {
    if (!isPlainSed(script)) frame.gap('code', script.at, name)
  }
  for (const file of files) {
    if (isInPlace) noteWrite(file, frame)
    else if (file.many && file.sure === 'part') frame.gap('word', file.at, name)
  }
}

/** Returns true if a sed script only prints, deletes and substitutes. */
function isPlainSed({ text, sure, base }: Word): boolean {
  if (sure !== 'text' || base) return false
  let rest = text.trim()
  while (rest !== '') {
    const command = SED_COMMAND.exec(rest)
    if (!command) return false
    rest = rest.slice(command[0].length)
  }
  return true
}

const ADDRESS = String.raw`(?:\d+|\$|\/(?:[^/\\\n]|\\.)*\/I?|\\\|(?:[^|\\\n]|\\.)*\|)`
const RANGE = `(?:${ADDRESS}(?:\\s*,\\s*(?:\\+?\\d+|~\\d+|${ADDRESS}))?\\s*!?)?`
const FLAGS = '[gpiI0-9]*'
const SUBSTITUTION = ['/', '|', '#', ',', '@', '%', ':', '!', '~', '_', ';']
  .map((mark) => {
    const sign = mark === '|' ? '\\|' : mark
    const inner = `(?:[^${sign}\\\\\\n]|\\\\[^])*`
    return `s${sign}${inner}${sign}${inner}${sign}${FLAGS}`
  })
  .join('|')
const TRANSLITERATION = String.raw`y\/(?:[^/\\\n]|\\.)*\/(?:[^/\\\n]|\\.)*\/`
const TEXT = String.raw`[aic](?:\\\n?|\s)[^\n]*`
const SED_COMMAND = new RegExp(
  `^[\\s;]*${RANGE}\\s*(?:\\{|\\}|[pdPDgGhHxnNlq=](?=[\\s;}]|$)|${TEXT}|${SUBSTITUTION}|${TRANSLITERATION})[\\s;]*`,
)

const AWK = readRow('awk | reads | -F=t -v=t --csv | t r')

/** `awk`: programs that only print and compute; no pipes, files or commands. */
export function readAwk(one: SpecialCall): void {
  const { name, words, call, state, frame } = one
  addCommand(name, words, call, state, frame, { does: 'reads', touches: 'named' })
  const parsedOptions = readOptions(words, AWK)
  if (isRefused(parsedOptions, frame)) return
  const [script, ...files] = parsedOptions.operands
  if (!script || !isPlainAwk(script)) {
    frame.gap('code', script?.at ?? call.at, name)
    return
  }
  for (const file of files) {
    if (file.many && file.sure === 'part') frame.gap('word', file.at, name)
  }
}

/** Returns true if an awk program cannot start another program or write a file. */
function isPlainAwk({ text, sure, base }: Word): boolean {
  if (sure !== 'text' || base) return false
  // Text and patterns first: what is left is code.
  const code = text
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
    .replace(/(^|[\s(,;{!~&|])\/(?:[^/\\\n]|\\.)*\//g, '$1 0 ')
  if (/system|getline|close|fflush|@|\/inet|ARGV|ENVIRON|"\s*\|/.test(code)) return false
  if (/(^|[^|])\|([^|]|$)/.test(code)) return false
  // `>` compares in brackets or in a pattern, and writes a file after print.
  return !/\b(print|printf)\b[^;}\n]*>/.test(code)
}
