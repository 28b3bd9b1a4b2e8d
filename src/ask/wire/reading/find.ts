import { addCommand } from './commands.ts'
import { isRefused, readOptions } from './options.ts'
import type { Word } from './reading.ts'
import { readRow } from './row.ts'
import { rowOf } from './rows/index.ts'
import { readStarted, type SpecialCall } from './started.ts'

const TESTS = new Set(
  '-empty -executable -false -follow -mount -nogroup -noleaf -nouser -prune -readable -true -writable -xdev -daystart -depth -d -ls -print -print0 -quit -a -and -o -or -not ! ( ) , -L -H -P -E -X -x -s'.split(
    ' ',
  ),
)
const TESTS_WITH_VALUE = new Set(
  '-amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -newer -newermt -newerct -path -perm -printf -regex -regextype -samefile -size -type -uid -used -user -wholename -xtype -newerBt'.split(
    ' ',
  ),
)
const COMMANDS = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** `find`: what it lists, deletes, and starts for each file. */
export function readFind(one: SpecialCall): void {
  const { words, call, state, frame } = one
  const deletes = words.some(({ text, sure }) => sure === 'text' && text === '-delete')
  addCommand('find', words, call, state, frame, {
    does: deletes ? 'writes' : 'reads',
    touches: deletes ? 'project' : 'named',
  })
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word
    const isOption = word.sure === 'text' && !word.base && /^[-!(),]/.test(word.text)
    if (!isOption) {
      const mayBe = word.sure !== 'text' && word.sure !== 'number' && !word.prefix
      if (mayBe || (word.many && word.sure === 'part')) {
        frame.gap('word', word.at, word.text)
        return
      }
    } else if (TESTS_WITH_VALUE.has(word.text)) {
      const value = words[++at]
      if (!value || value.many) {
        if (value?.sure !== 'names') {
          frame.gap('word', word.at, word.text)
          return
        }
      }
    } else if (COMMANDS.has(word.text)) {
      const end = words.findIndex(({ text }, n) => n > at && (text === ';' || text === '+'))
      if (end < 0) {
        frame.gap('word', word.at, word.text)
        return
      }
      readEach(words.slice(at + 1, end), one)
      at = end
    } else if (!TESTS.has(word.text) && word.text !== '-delete' && !/^-O\d$/.test(word.text)) {
      frame.gap('option', word.at, word.text)
      return
    }
  }
}

/** The command of `-exec`: `{}` is a file below the start. */
function readEach(words: readonly Word[], one: SpecialCall): void {
  const started = words.map((word): Word => {
    if (word.sure !== 'text' || !word.text.includes('{}')) return word
    const isWhole = word.text === '{}'
    const prefix = isWhole ? './' : word.text.slice(0, word.text.indexOf('{}'))
    // In code or in the name of a program it is more than a file.
    return { ...word, sure: isWhole ? 'names' : 'part', prefix }
  })
  readStarted(started, one, { input: 'own' })
}

const XARGS = readRow(
  'xargs | says +first | -0 -r -t -x -n=t -P=t -L=t -I=t -d=t -s=t --null --no-run-if-empty --verbose --max-args=t --max-procs=t --delimiter=t --max-lines=t --replace?t | t',
)

/** `xargs`: the words that come in are not known, so that only a reader may be given them. */
export function readXargs(one: SpecialCall): void {
  const { words, call, state, frame } = one
  const parsedOptions = readOptions(words, XARGS)
  addCommand('xargs', words, call, state, frame, { does: 'says', touches: 'named' })
  if (isRefused(parsedOptions, frame)) return
  const mark = parsedOptions.values.find(({ option }) => option === '-I')?.word.text
  const fed: Word = { text: '…', sure: 'part', at: call.at, many: true }
  const [first] = parsedOptions.operands
  if (!first) return
  const started = mark
    ? parsedOptions.operands.map((word) => replaceMark(word, mark))
    : [...parsedOptions.operands, fed]
  const harmless = first.sure === 'text' && rowOf(first.text)?.takesAny
  if (!harmless) frame.gap('input', call.at, first.text)
  readStarted(started, one, { input: 'own' })
}

function replaceMark(word: Word, mark: string): Word {
  if (word.sure !== 'text' || !word.text.includes(mark)) return word
  return { ...word, sure: 'part', prefix: word.text.slice(0, word.text.indexOf(mark)) }
}
