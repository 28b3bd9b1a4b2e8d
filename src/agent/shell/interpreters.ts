import type { Call } from './call.ts'
import { INTERPRETERS } from './commands.ts'
import { readFed } from './fed.ts'
import { type Arg, literalArg, type Notes, type Places } from './notes.ts'
import { type Options, readOptions, words } from './options.ts'
import { ownCommandInCode } from './own-program.ts'

/** The options that give an interpreter its code; undefined for any other program. */
export function interpreterOf(name: string): string | undefined {
  if (/^(g|m|n)?awk$/.test(name)) return ''
  return INTERPRETERS.find(([pattern]) => pattern.test(name))?.[1]
}

/** The effect of code is not known, but paths that it names may be off limits. */
export function touchedByCode(name: string, code: string, args: readonly Arg[], call: Call) {
  const { places, redirects, piped, shell } = call
  const { notes } = shell
  if (code === '') {
    awk(args, places, notes)
    return
  }
  const options = readOptions(args, words(code))
  const given = args.some(({ text }) => isCode(text, words(code)))
  const bodies = redirects.map(({ body }) => body).filter((body) => body !== undefined)
  const [script] = options.operands
  const fed = script === undefined || script.text === '-'
  const input = piped || redirects.some(({ op }) => op.startsWith('<'))
  if (given || (fed && (bodies.length > 0 || input))) {
    notes.opaque(`${name} runs code of its own`)
    for (const text of [...args.map((arg) => arg.text), ...bodies, ...call.fed]) {
      const ours = ownCommandInCode(text)
      if (ours !== undefined) notes.ours.add(ours)
    }
    for (const { text } of args) notes.code(text, places)
    readFed(call.fed, notes, places)
  } else if (script !== undefined) ran(script, places, notes)
  if (/^(perl|ruby)/.test(name) && args.some(({ text }) => /^-[a-zA-Z]*i/.test(text)))
    edited(args, places, notes)
}

function isCode(text: string, options: readonly string[]): boolean {
  return options.some((option) =>
    /^-.$/.test(option)
      ? text.startsWith('-') && !text.startsWith('--') && text.includes(option.slice(1))
      : text.toLowerCase() === option.toLowerCase() || text.startsWith(`${option}=`),
  )
}

function ran(script: Arg, places: Places, notes: Notes) {
  if (notes.joined(script, places).some((path) => notes.touches.has(`write ${path}`)))
    notes.opaque('it runs what it has just written')
}

/** `perl -i -pe CODE file …`: the files are written. */
function edited(args: readonly Arg[], places: Places, notes: Notes) {
  let codeGiven = false
  const files: Arg[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Arg
    if (!arg.text.startsWith('-')) files.push(arg)
    else if (/^-[a-zA-Z0]*[eE]$/.test(arg.text)) {
      codeGiven = true
      at++
    }
  }
  for (const file of codeGiven ? files : files.slice(1)) notes.target(file, 'write', places)
}

function awk(args: readonly Arg[], places: Places, notes: Notes) {
  const options: Options = readOptions(args, words('-F -v -f -i -l -e --file --include'))
  const [program, ...files] = options.operands
  const text = program?.text ?? ''
  if (program?.why !== undefined || />|\||system\s*\(/.test(text)) {
    notes.opaque('awk may write what its program says')
    notes.code(text, places)
  }
  if (options.values.some(({ option, value }) => option === '-i' && value.text === 'inplace'))
    for (const file of files) notes.target(file, 'write', places)
  if (options.flags.has('-f')) notes.literal(literalArg(text), places)
}
