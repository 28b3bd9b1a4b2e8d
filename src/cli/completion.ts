import type { Command } from '../platform/command.ts'
import { suggest } from '../platform/did-you-mean.ts'
import { WrongUsage } from '../platform/failure.ts'
import { oneWay } from './help.ts'

type Commands = readonly Command[]

const SCRIPTS: Record<string, (commands: Commands) => string> = { bash, zsh, fish }

/** The shells that completion is written for. */
export const SHELLS = Object.keys(SCRIPTS)

/** A script for `shell` that completes `commands`. Throws `WrongUsage` for any other shell. */
export function completionScript(shell: string, commands: Commands): string {
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined
  if (script) return script(commands)
  const shells = SHELLS.join(', ')
  throw new WrongUsage(`"${shell}" is not one of ${shells}${suggest(shell, SHELLS) || '.'}`)
}

/** The words that may follow `command`, and each of its subcommands. */
function wordsAfter(command: Command) {
  const { name, usage, words = [] } = command
  const second = usage.flatMap((line) => /^\S+ ([a-z]+)(?: |$)/.exec(line)?.[1] ?? [])
  const ways = words.length > 0 ? [] : [...new Set(second)]
  const byWay = new Map(
    ways.map((way) => {
      const lines = usage.filter((line) => `${line} `.startsWith(`${name} ${way} `))
      return [way, optionsOf(oneWay({ ...command, usage: lines }, way))]
    }),
  )
  return { name, words, ways, byWay, options: optionsOf(command) }
}

/** The options that a usage, or a row of options, names; `--[no-]x` is two. */
function optionsOf({ usage, options = [] }: Command): string[] {
  const text = [...usage, ...options.map(([option]) => option)].join(' ')
  const matches = text.match(/--(?:\[no-\])?[a-z][a-z-]*/g) ?? []
  const each = matches.flatMap((one) =>
    one.includes('[') ? [one.replace('[no-]', ''), one.replace(/[[\]]/g, '')] : [one],
  )
  return [...new Set([...each, '--help'])]
}

/** The options whose value is one of a few: `--role owner|member`. */
function choicesOf({ usage }: Command): Array<[option: string, values: string[]]> {
  const matches = usage.join(' ').matchAll(/(--[a-z-]+) ([a-z]+(?:\|[a-z]+)+)/g)
  return [...matches].map(([, option = '', values = '']) => [option, values.split('|')])
}

/** The arms of a `case`, which bash and zsh write alike; `emit` offers words. */
function arms(commands: Commands, emit: (words: readonly string[]) => string) {
  const all = commands.map(wordsAfter)
  const arm = (pattern: string, words: readonly string[]) =>
    `    ${pattern}) ${words.length > 0 ? emit(words) : ':'} ;;`
  return {
    values: commands.flatMap((command) =>
      choicesOf(command).map(([option, values]) => arm(`'${command.name} ${option}'`, values)),
    ),
    options: all.flatMap(({ name, byWay, options }) => [
      ...[...byWay].map(([way, own]) => arm(`'${name} ${way}'`, own)),
      arm(`'${name} '*`, options),
    ]),
    second: all.map(({ name, words, ways }) => arm(`'${name}'`, [...ways, ...words])),
    later: all.flatMap(({ name, words }) => (words.length > 0 ? [arm(`'${name}'`, words)] : [])),
  }
}

function names(commands: Commands): string {
  return commands.map(({ name }) => name).join(' ')
}

function bash(commands: Commands): string {
  const { values, options, second, later } = arms(commands, (words) => `words='${words.join(' ')}'`)
  return `# Completion of beckon for bash, as "beckon completion bash" prints it.
_beckon() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words=
  local command=\${COMP_WORDS[1]} way=\${COMP_WORDS[2]-}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${names(commands)} --help --version' -- "$cur"))
    return
  fi
  case "$command $prev" in
${values.join('\n')}
  esac
  if [[ -z $words && $cur == -* ]]; then
    case "$command $way" in
${options.join('\n')}
    esac
  elif [[ -z $words ]] && ((COMP_CWORD == 2)); then
    case "$command" in
${second.join('\n')}
    esac
  elif [[ -z $words ]]; then
    case "$command" in
${later.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _beckon beckon`
}

function zsh(commands: Commands): string {
  const emit = (words: readonly string[]) => `compadd -- ${words.join(' ')}; return`
  const { values, options, second, later } = arms(commands, emit)
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`)
  return `#compdef beckon
# Completion of beckon for zsh, as "beckon completion zsh" prints it.
_beckon() {
  local cur=$words[CURRENT] prev=$words[CURRENT-1] command=$words[2] way=$words[3]
  local -a commands
  commands=(
${described.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  case "$command $prev" in
${values.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case "$command $way" in
${options.join('\n')}
    esac
  elif ((CURRENT == 3)); then
    case "$command" in
${second.join('\n')}
    esac
  else
    case "$command" in
${later.join('\n')}
    esac
  fi
  _files
}
if [[ $funcstack[1] == _beckon ]]; then _beckon "$@"; else compdef _beckon beckon; fi`
}

function fish(commands: Commands): string {
  const lines = commands.flatMap((command) => {
    const { name, words, ways, byWay, options } = wordsAfter(command)
    const here = `__fish_seen_subcommand_from ${name}`
    const offer = (condition: string, offered: readonly string[]) =>
      offered.length === 0
        ? []
        : [`complete -c beckon -f -n '${condition}' -a '${offered.join(' ')}'`]
    const choices = new Map(choicesOf(command))
    const isValued = (option: string) =>
      (command.options ?? []).some(([flagText]) => flagText.startsWith(`${option} `))
    const optionLine = (condition: string, option: string) => {
      const values = choices.get(option)
      const value = values ? ` -x -a '${values.join(' ')}'` : isValued(option) ? ' -r' : ''
      return `complete -c beckon -n '${condition}' -l ${option.slice(2)}${value}`
    }
    return [
      `complete -c beckon -f -n __fish_use_subcommand -a ${name} -d ${quoted(command.summary)}`,
      ...offer(`${here}; and not __fish_seen_subcommand_from ${ways.join(' ')}`, ways),
      ...offer(here, words),
      ...(ways.length === 0 ? options.map((option) => optionLine(here, option)) : []),
      ...[...byWay].flatMap(([way, own]) =>
        own.map((option) => optionLine(`${here}; and __fish_seen_subcommand_from ${way}`, option)),
      ),
    ]
  })
  return ['# Completion of beckon for fish, as "beckon completion fish" prints it.', ...lines].join(
    '\n',
  )
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`
}
