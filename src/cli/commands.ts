import type { FolderState } from '../catalog/preview.ts'
import { type Command, EXIT } from '../platform/command.ts'
import { suggest } from '../platform/did-you-mean.ts'
import { WrongUsage } from '../platform/failure.ts'
import { VERSION } from '../platform/program.ts'
import { readArguments, readOpenArguments } from '../platform/terminal/arguments.ts'
import { say, terminalWidth } from '../platform/terminal/terminal.ts'
import { SHELLS } from './completion.ts'
import { DOCS_PAGES } from './docs-pages.ts'
import { commandHelp, oneWay, programHelp } from './help.ts'
import { PRODUCT_COMMANDS } from './product-commands.ts'

/** Every command: those of the product, and those about the commands themselves. */
export const COMMANDS: readonly Command<FolderState>[] = [
  ...PRODUCT_COMMANDS,
  {
    name: 'completion',
    summary: 'print the completion of commands and options for a shell',
    usage: [`completion ${SHELLS.join('|')}`],
    words: SHELLS,
    options: [
      ['bash', 'beckon completion bash > ~/.local/share/bash-completion/completions/beckon'],
      ['zsh', 'beckon completion zsh > a folder of $fpath, as _beckon'],
      ['fish', 'beckon completion fish > ~/.config/fish/completions/beckon.fish'],
    ],
    example: 'eval "$(beckon completion bash)"',
    load: async () => {
      const { completionScript } = await import('./completion.ts')
      return async (args) => {
        const { SHELL } = readArguments(args, {}, ['SHELL'])
        say(completionScript(SHELL, COMMANDS))
        return EXIT.done
      }
    },
  },
  {
    name: 'docs',
    summary: 'print a page of the documentation',
    usage: ['docs [PAGE]'],
    words: Object.keys(DOCS_PAGES),
    options: [['PAGE', 'one of the names that beckon docs lists']],
    example: 'beckon docs https',
    load: async () => (await import('./docs.ts')).docs,
  },
  {
    name: 'help',
    summary: 'explain a command',
    usage: ['help [COMMAND [SUBCOMMAND]]'],
    words: PRODUCT_COMMANDS.map(({ name }) => name),
    example: 'beckon help catalog import',
    load: async () => async (args) => help(readOpenArguments(args, {}).operands),
  },
  {
    name: 'version',
    summary: 'say which version this is',
    usage: ['version'],
    example: 'beckon version',
    load: async () => async (args) => {
      readArguments(args, {})
      say(`beckon ${VERSION}`)
      return EXIT.done
    },
  },
]

/** The command with this name; many other programs call `completions` by that name. */
export function findCommand(name: string): Command<FolderState> | undefined {
  const commandName = name === 'completions' ? 'completion' : name
  return COMMANDS.find((command) => command.name === commandName)
}

/** Says that there is no such command, and suggests a similar one. */
export function unknownCommand(name: string): string {
  const names = COMMANDS.map((command) => command.name)
  const suggestion = suggest(name, names)
  return suggestion
    ? `"${name}" is not a command of beckon${suggestion} beckon --help lists them all.`
    : `"${name}" is not a command of beckon; beckon --help lists them.`
}

function help([name, way]: readonly string[]): number {
  const width = terminalWidth()
  if (name === undefined) {
    say(programHelp(COMMANDS, width))
    return EXIT.done
  }
  const command = findCommand(name)
  if (!command) throw new WrongUsage(unknownCommand(name))
  say(commandHelp(oneWay(command, way), width))
  return EXIT.done
}
