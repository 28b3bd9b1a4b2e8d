import type { Call } from './call.ts'
import { type Arg, literalArg } from './notes.ts'
import { baseName } from './operands.ts'

/** `find`: `perform` follows the commands that it starts. */
export function find(args: readonly Arg[], call: Call, perform: (words: readonly Arg[]) => void) {
  const { notes } = call.shell
  const tests = args.findIndex(({ text }) => /^[-(!]/.test(text) && !/^-[HLPD]$/.test(text))
  const starts = (tests < 0 ? args : args.slice(0, tests)).filter(({ text }) => !/^-/.test(text))
  const rest = tests < 0 ? [] : args.slice(tests)
  for (let at = 0; at < rest.length; at++) {
    const text = rest[at]?.text ?? ''
    if (/^-(fprint0?|fprintf|fls)$/.test(text))
      notes.target(rest[at + 1] ?? literalArg(''), 'write', call.places)
    if (text === '-delete') {
      loseFound(starts, rest, call)
      if (rest.some(({ text }) => !/^-(delete|depth|d|xdev)$/.test(text)))
        notes.opaque('find removes what it finds')
      else
        for (const start of starts.length > 0 ? starts : [literalArg('.')])
          notes.takeAway(start, call.places)
    }
    if (!/^-(exec|execdir|ok|okdir)$/.test(text)) continue
    const end = rest.findIndex(({ text }, one) => one > at && (text === ';' || text === '+'))
    const inner = rest.slice(at + 1, end < 0 ? undefined : end)
    const found = inner.map((arg) =>
      arg.text.includes('{}') ? { ...arg, why: 'what find finds' } : arg,
    )
    if (/^(rm|unlink|shred)$/.test(baseName(inner[0]?.text ?? ''))) loseFound(starts, rest, call)
    perform(found)
    at = end < 0 ? rest.length : end
  }
}

/**
 * Notes what `find -delete` may remove: files with the names that it searches for, below its
 * starting points.
 */
function loseFound(starts: readonly Arg[], tests: readonly Arg[], { shell, places }: Call) {
  const from = starts.length > 0 ? starts : [literalArg('.')]
  const paths = from.flatMap((start) =>
    start.why === undefined ? shell.notes.joined(start, places) : [],
  )
  const names = tests.flatMap(({ text }, at) =>
    /^-i?name$/.test(tests[at - 1]?.text ?? '') ? text : [],
  )
  // The effect of other tests is not known: they select some of the files.
  const chooses = tests.some(
    ({ text }) => /^-/.test(text) && !/^-(delete|depth|d|xdev)$/.test(text),
  )
  if (chooses && names.length === 0) names.push('*')
  if (paths.length === 0) return
  shell.notes.lose(
    names.length > 0 ? { how: 'both', places, paths, names } : { how: 'both', places, paths },
  )
}
