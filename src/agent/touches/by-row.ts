import { readOptions as readByRow } from '../../ask/wire/reading/options.ts'
import type { Command, Word } from '../../ask/wire/reading/reading.ts'
import { isWritten, type Row } from '../../ask/wire/reading/row.ts'
import { aliasOf, rowOf } from '../../ask/wire/reading/rows/index.ts'
import type { TouchNotes } from './notes.ts'
import { baseName, joinAll, type Operand, operandOf, type Places } from './operand.ts'
import { touchLikelyOutput, touchOutputs } from './outputs.ts'

/**
 * Notes the files that a program writes by the row that the reading has for it: the values and
 * operands that name a file. A program without a row writes what its output options name.
 */
export function touchByRow(called: Command, places: Places, notes: TouchNotes) {
  const command = moduleOf(called)
  const { row, words } = rowFor(command)
  const operand = (word: Word) => operandOf(word, notes.start)
  const operands = command.words.map(operand)
  const taking = [...(row?.options ?? [])].flatMap(([name, { takes }]) =>
    takes === 'value' ? name : [],
  )
  // `--coverage` is an option, not `--coverageDirectory` cut.
  const isFlag = ({ text }: Operand) => row?.options.has(text) === true && !taking.includes(text)
  const others = operands.filter((word) => !isFlag(word))
  touchOutputs(command.program, others, taking, places, notes)
  if (!row) {
    touchLikelyOutput(operands, places, notes)
    return
  }
  const read = readByRow(words, row)
  const written = read.values.filter(({ kind }) => isWritten(kind))
  for (const { word } of written) {
    if (word.text !== '-') notes.target(operand(word), 'write', places)
  }
  const isRewriter = rewrites(command, read.options)
  if (!isRewriter && row.operands.some(isWritten)) {
    for (const [at, word] of read.operands.entries()) {
      const kind = row.operands[Math.min(at, row.operands.length - 1)]
      if (!isWritten(kind)) continue
      for (const one of notes.expanded(operand(word), places)) notes.target(one, 'write', places)
    }
  }
  if (!isRewriter) return
  const files = read.operands.filter(({ text }) => !SUBCOMMANDS.test(text))
  for (const word of files) rewrite(operand(word), places, notes)
  if (files.length === 0) notes.target({ text: '.' }, 'tree', places)
}

/** `python -m black`: the module stands for the program. */
function moduleOf(command: Command): Command {
  if (!/^(python|pypy)[\d.]*$/.test(command.program)) return command
  const at = command.words.findIndex(({ text }) => text === '-m')
  const [, module, ...words] = at < 0 ? [] : command.words.slice(at)
  if (!module || isScript(command.words.slice(0, at))) return command
  const own = `python -m ${module.text}`
  return { ...command, program: rowOf(own) ? own : module.text, words }
}

/** Returns true if one of the words is a script; the words after it are its arguments. */
function isScript(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, at) => !text.startsWith('-') && !/^-[WX]$/.test(words[at - 1]?.text ?? ''),
  )
}

/** The row of a program or of its subcommand, with the words after that. */
function rowFor({ program, words }: Command): { row: Row | undefined; words: readonly Word[] } {
  let key = program
  let row = rowOf(key)
  let rest: readonly Word[] = words
  while (row?.hasSubcommands) {
    const [next, ...after] = readByRow(rest, row).operands
    const inner = next?.sure === 'text' ? `${key} ${aliasOf(key, next.text)}` : ''
    const innerRow = rowOf(inner)
    if (!innerRow) return { row, words: rest }
    key = inner
    row = innerRow
    rest = after
  }
  return { row, words: rest }
}

// They rewrite the files that they are given: always, with an option, or with a subcommand.
const ALWAYS = new Set('alejandra black isort nixfmt phpcbf pyupgrade rustfmt stylua'.split(' '))
const WITH_OPTION = new Set(
  'autoflake autopep8 biome buf clang-format docformatter eslint gofmt gofumpt goimports google-java-format ktlint markdownlint markdownlint-cli2 oxlint prettier rubocop ruff shfmt standard stylelint swiftlint xo yapf yq'.split(
    ' ',
  ),
)
const WITH_SUBCOMMAND = new Set(
  'cargo dart deno dotnet dprint go mix php-cs-fixer ruff sqlfluff taplo terraform tofu zig'.split(
    ' ',
  ),
)
const SUBCOMMANDS = /^(fmt|format|fix|check|lint|\+.*)$/
const REWRITING =
  /^(-w|-i|-F|-a|-A|-x|--write|--fix|--fix-only|--in-place|--inplace|--apply(-unsafe)?|--unsafe|--auto-?correct(-all)?|--format|--replace)$/
const CHECKS =
  /^(-c|-n|-check|-diff|--check|--check-only|--check-formatted|--diff|--dry-run|--stdout|--verify-no-changes|-)$/

function rewrites({ program, words }: Command, options: readonly string[]): boolean {
  const name = baseName(program)
  const allWords = [...options, ...words.map(({ text }) => text)]
  if (WITH_OPTION.has(name) && allWords.some((option) => REWRITING.test(option))) return true
  if (allWords.some((option) => CHECKS.test(option))) return false
  if (ALWAYS.has(name)) return true
  return WITH_SUBCOMMAND.has(name) && allWords.some((word) => /^(fmt|format|fix)$/.test(word))
}

/** A file, or everything in a folder; for a pattern that the program expands itself, its folder. */
function rewrite(operand: Operand, places: Places, notes: TouchNotes) {
  if (operand.text === '-' || operand.text.startsWith('!')) return
  for (const path of notes.expanded(operand, places)) {
    if (path.why !== undefined) {
      notes.target(path, 'write', places)
      continue
    }
    const text = path.text.replace(/\/?\.\.\.$/, '') || '.'
    const from = /[*?[{]/.exec(text)?.index
    const folder = from === undefined ? text : text.slice(0, from).replace(/[^/]*$/, '') || '.'
    const isFile = from === undefined && joinAll(text, places).every((one) => isFileNow(one, notes))
    notes.target({ text: folder }, isFile ? 'write' : 'tree', places)
  }
}

function isFileNow(path: string, notes: TouchNotes): boolean {
  return notes.holdsFile(path) || (!notes.holdsFolder(path) && /\.\w+$/.test(path))
}
