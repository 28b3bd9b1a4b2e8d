import { checkValues, checkWords } from './check-words.ts'
import { addCommand, isProjectFile, noteWrittenFile } from './commands.ts'
import { readOptions } from './options.ts'
import { type Row, readRow } from './row.ts'
import { rowOf } from './rows/index.ts'
import { readStarted, type Special, type SpecialCall } from './started.ts'

const ROWS: Record<string, string> = {
  python: '-u -B -O -I -s -E -V -v -q -W=t -X=t -m=t --version --help -h',
  node: '--version -v --help -h --check --test --watch --no-warnings --trace-warnings --enable-source-maps --experimental-strip-types --test-name-pattern=t --test-reporter=f --test-only --experimental-test-coverage --max-old-space-size=t --expose-gc --inspect --stack-trace-limit=t',
  ruby: '-w -v -W -I=f --version',
  perl: '-w -v --version',
  php: '-v --version -l',
  lua: '-v',
  'ts-node': '--version',
  tsx: '--version watch',
  Rscript: '--vanilla --version',
}

// Modules that are the program of the same name. Others have a row: `python -m venv`.
const MODULES: Record<string, string> = Object.fromEntries(
  'pytest pip mypy ruff black isort flake8 pylint bandit pyright tox nox'
    .split(' ')
    .map((name) => [name, name]),
)
MODULES.pre_commit = 'pre-commit'

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
  const parsedOptions = readOptions(words, row)
  if (parsedOptions.gap) {
    addCommand(name, words, call, state, frame, { does: 'project', touches: 'project' })
    const { word } = parsedOptions.gap
    if (!isCode(word.text)) {
      frame.gap('option', word.at, word.text)
      return
    }
    frame.gap('code', (words[words.indexOf(word) + 1] ?? word).at, name)
    return
  }
  checkValues(parsedOptions, state.places, frame)
  const [file, ...rest] = parsedOptions.operands
  if (!file) {
    addCommand(name, words, call, state, frame, { does: 'says', touches: 'named' })
    const isTest = parsedOptions.options.some((option) =>
      /^(--test|--version|-v|-V|--help|-h)$/.test(option),
    )
    if (call.input !== 'own') frame.gap('input', call.at, name)
    else if (!isTest) frame.gap('program word', call.at, name)
    return
  }
  // `ts-node x shutdown`: a name alone may be a program, and is rarely a file.
  const isFile = isProjectFile(file) && /[./]/.test(file.text)
  if (!isFile || call.input === 'text') {
    addCommand(name, words, call, state, frame, { does: 'project', touches: 'elsewhere' })
    frame.gap('code', file.at, name)
    return
  }
  addCommand(name, [file, ...rest], call, state, frame, { does: 'project', touches: 'project' })
  noteWrittenFile(file, frame)
}

function readModule(one: SpecialCall, at: number): void {
  const { name, words, call, state, frame } = one
  const [module, ...rest] = words.slice(at + 1)
  const moduleWord = module?.sure === 'text' ? module : undefined
  const program =
    moduleWord && Object.hasOwn(MODULES, moduleWord.text) ? MODULES[moduleWord.text] : undefined
  if (moduleWord && program !== undefined) {
    addCommand(name, words, call, state, frame, { does: 'says', touches: 'named' })
    readStarted([{ ...moduleWord, text: program }, ...rest], one)
    return
  }
  const row = moduleWord && rowOf(`python -m ${moduleWord.text}`)
  if (!row) {
    addCommand(name, words, call, state, frame, { does: 'project', touches: 'project' })
    frame.gap('code', call.at, module?.text ?? name)
    return
  }
  addCommand(name, words, call, state, frame, row)
  checkWords(readOptions(rest, row), row, name, state, frame)
}

function isCode(text: string): boolean {
  return /^-(c|e|p|r|E|n|i|-eval|-print|-command)/.test(text)
}
