import { addCommand, isProjectFile } from './commands.ts'
import { readOptions } from './options.ts'
import { type Row, readRow } from './row.ts'
import type { Special, SpecialCall } from './started.ts'

const ROWS: Record<string, string> = {
  python: '-u -B -O -I -s -E -V -v -q -W=t -X=t -m=t --version --help -h',
  node: '--version -v --help -h --check --test --watch --no-warnings --trace-warnings --enable-source-maps --experimental-strip-types --test-name-pattern=t --test-reporter=t --test-only --experimental-test-coverage --max-old-space-size=t --expose-gc --inspect --stack-trace-limit=t',
  ruby: '-w -v -W -I=t --version',
  perl: '-w -v --version',
  php: '-v --version -l',
  lua: '-v',
  'ts-node': '--version',
  tsx: '--version watch',
  Rscript: '--vanilla --version',
}

// Modules that are tools: what they are given starts nothing.
const MODULES = new Set(
  'pytest unittest venv json.tool http.server compileall py_compile pip mypy ruff black isort flake8 pylint build coverage doctest timeit cProfile tabnanny site sysconfig pydoc ensurepip pre_commit pyright bandit'.split(
    ' ',
  ),
)

/** Programs that run code: a file of the project, or a known module. Code in words is open. */
export const INTERPRETERS: Record<string, Special> = {}
for (const [name, options] of Object.entries(ROWS)) {
  const row = readRow(`${name} | says +first | ${options} | t`)
  const names = name === 'python' ? ['python', 'python2', 'python3'] : [name]
  for (const one of names) INTERPRETERS[one] = (call) => readInterpreter(call, row)
}

function readInterpreter(one: SpecialCall, row: Row): void {
  const { name, words, call, state, frame } = one
  const at = words.findIndex(({ text, sure }) => sure === 'text' && text === '-m')
  if (
    /^python/.test(name) &&
    at >= 0 &&
    words.slice(0, at).every(({ text }) => /^-[uBOIsEWq]/.test(text))
  ) {
    readModule(one, at)
    return
  }
  const given = readOptions(words, row)
  if (given.gap) {
    addCommand(name, words, call, state, frame, { does: 'project', touches: 'project' })
    const { word } = given.gap
    if (!isCode(word.text)) {
      frame.gap('option', word.at, word.text)
      return
    }
    frame.gap('code', (words[words.indexOf(word) + 1] ?? word).at, name)
    return
  }
  const [file, ...rest] = given.operands
  if (!file) {
    addCommand(name, words, call, state, frame, { does: 'says', touches: 'named' })
    const isTest = given.options.some((option) =>
      /^(--test|--version|-v|-V|--help|-h)$/.test(option),
    )
    if (call.input !== 'own') frame.gap('input', call.at, name)
    else if (!isTest) frame.gap('program word', call.at, name)
    return
  }
  if (!isProjectFile(file) || call.input === 'text') {
    addCommand(name, words, call, state, frame, { does: 'project', touches: 'elsewhere' })
    frame.gap('code', file.at, name)
    return
  }
  addCommand(name, [file, ...rest], call, state, frame, { does: 'project', touches: 'project' })
}

function readModule(one: SpecialCall, at: number): void {
  const { name, words, call, state, frame } = one
  const module = words[at + 1]
  addCommand(name, words, call, state, frame, { does: 'project', touches: 'project' })
  const isKnown = module?.sure === 'text' && MODULES.has(module.text)
  if (!isKnown) frame.gap('code', call.at, module?.text ?? name)
  const isPip = module?.text === 'pip'
  if (isPip) readPip(words.slice(at + 2), one)
}

function readPip(words: SpecialCall['words'], one: SpecialCall): void {
  const isPlain = words.every(
    ({ sure, text }) => sure === 'text' && !/:\/\/|^git\+|^-[^rqUe]/.test(text),
  )
  if (!isPlain) one.frame.gap('option', one.call.at, 'pip')
}

function isCode(text: string): boolean {
  return /^-(c|e|p|r|E|n|i|-eval|-print|-command)/.test(text)
}
