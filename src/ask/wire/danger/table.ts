import { INFRASTRUCTURE } from './infrastructure.ts'
import { MACHINE } from './machine.ts'
import { OUTWARD } from './outward.ts'
import { compilePattern, hasOption, type Pattern } from './pattern.ts'
import { PUBLISHING, SCRIPTS } from './publishing.ts'
import type { Word } from './read-commands.ts'
import type { CommandRow } from './rows.ts'

/** A row that is ready to be held against a command. */
export type Rule = {
  why: string
  /** It is the program alone: in a sentence that may be an ordinary word. */
  isBare: boolean
  match: Pattern['match']
}

const RULES = new Map<string, Rule[]>()
for (const row of [...PUBLISHING, ...INFRASTRUCTURE]) addRow(row, true)
for (const row of [...SCRIPTS, ...MACHINE, ...OUTWARD]) addRow(row, false)

/** The rows about a program. */
export function rulesOf(program: string): readonly Rule[] {
  const name = program.startsWith('mkfs.') ? 'mkfs' : program
  return RULES.get(name) ?? []
}

function addRow([command, why, harmlessWith]: CommandRow, mayBeDry: boolean): void {
  const { programs, match } = compilePattern(command)
  const isHarmless = (words: readonly Word[]) =>
    (mayBeDry && isDryRun(words)) || (harmlessWith !== undefined && hasOption(words, harmlessWith))
  const rule: Rule = {
    why,
    isBare: !command.includes(' '),
    match: (words) => {
      const found = match(words)
      return found && !isHarmless(words) ? found : undefined
    },
  }
  for (const program of programs) RULES.set(program, [...(RULES.get(program) ?? []), rule])
}

/** `--dry-run`, and nothing that takes it back. */
function isDryRun(words: readonly Word[]): boolean {
  const end = words.findIndex(({ text }) => text === '--')
  const own = end < 0 ? words : words.slice(0, end)
  const said = own.flatMap(({ text }, at) => {
    const [, value] = /^--(?:no-)?dry-?run(?:=(.*))?$/.exec(text) ?? []
    if (!/^--(no-)?dry-?run(=|$)/.test(text)) return []
    return [!text.startsWith('--no') && isYes(value ?? own[at + 1]?.text)]
  })
  return said.length > 0 && said.every(Boolean)
}

function isYes(value: string | undefined): boolean {
  return value === undefined || !/^(false|none|no|0|off|)$/i.test(value)
}
