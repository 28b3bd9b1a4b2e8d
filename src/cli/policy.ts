import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { lintFile } from '../ask/policy-file/lint-file.ts'
import { differenceLines } from '../ask/policy-file/model/difference.ts'
import { findingLine } from '../ask/policy-file/model/finding.ts'
import { outcomeWords } from '../ask/policy-file/outcome.ts'
import type { Trial } from '../ask/policy-file/try-file.ts'
import { EXIT } from '../platform/command.ts'
import { Failure, WrongUsage } from '../platform/failure.ts'
import {
  DATA_OPTION,
  readArguments,
  readOpenArguments,
  subcommand,
} from '../platform/terminal/arguments.ts'
import { note, noteError, say } from '../platform/terminal/terminal.ts'
import { openSource } from './policy-source.ts'

const WHERE = {
  ...DATA_OPTION,
  server: { type: 'string' },
  workspace: { type: 'string' },
  json: { type: 'boolean' },
} as const
const FILE_MAX = 900_000
const DAYS = 30
const DAYS_MAX = 90

/** `beckon policy`: policy, groups and rules as a file. */
export async function policy(args: string[]): Promise<number> {
  const ways = { export: show, lint, diff, try: tryIt, apply, release }
  const { way, rest } = subcommand(args, ways)
  try {
    return await way(rest)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code !== 'invalid_input' && error.code !== 'conflict') throw error
    for (const { field, must } of error.fields) noteError(`${field} ${must}.`)
    if (error.fields.length === 0) noteError(error.message)
    return error.code === 'conflict' ? EXIT.differs : EXIT.failed
  }
}

/** Prints the state, or brings a file up to date. */
async function show(args: string[]): Promise<number> {
  const flags = readOpenArguments(args, { ...WHERE, 'base-url': { type: 'string' } })
  const [file, extra] = flags.operands
  if (extra !== undefined) throw new WrongUsage(`"${extra}" is one argument too many.`)
  const before = file === undefined || !isThere(file) ? undefined : readText(file)
  await using source = await openSource(flags)
  const text = await source.export(before)
  if (file === undefined) {
    say(text.trimEnd())
    return EXIT.done
  }
  if (text === before) note(`${file} is up to date.`)
  else {
    writeFileSync(file, text)
    note(`${file} has what is in force now.`)
  }
  return EXIT.done
}

async function lint(args: string[]): Promise<number> {
  const flags = readArguments(args, WHERE, ['FILE'])
  const { FILE, data, workspace, server, json } = flags
  const text = readText(FILE)
  const isAlone = data === undefined && workspace === undefined && server === undefined
  await using source = isAlone ? undefined : await openSource(flags)
  const findings = source ? await source.lint(text) : lintFile(text)
  const isFine = findings.every(({ level }) => level === 'note')
  if (json) say(JSON.stringify({ findings }))
  else {
    for (const one of findings) say(findingLine(FILE, one))
    if (isFine) note(`${FILE} can be applied.`)
  }
  return isFine ? EXIT.done : EXIT.failed
}

async function diff(args: string[]): Promise<number> {
  const flags = readArguments(args, WHERE, ['FILE'])
  const file = fileAt(flags.FILE)
  await using source = await openSource(flags)
  const compared = await source.compare(file)
  const { differences, state } = compared
  const isSame = differences.length === 0
  if (flags.json) say(JSON.stringify(compared))
  else {
    for (const line of differences.flatMap(differenceLines)) say(line)
    note(
      isSame
        ? `${flags.FILE} is what is in force.`
        : `To apply it to this state: beckon policy apply ${flags.FILE} --base ${state}`,
    )
  }
  return isSame ? EXIT.done : EXIT.differs
}

async function tryIt(args: string[]): Promise<number> {
  const flags = readArguments(args, { ...WHERE, days: { type: 'string' } }, ['FILE'])
  const days = flags.days === undefined ? DAYS : Number(flags.days)
  if (!Number.isInteger(days) || days < 1 || days > DAYS_MAX) {
    throw new WrongUsage(`--days must be a whole number from 1 to ${DAYS_MAX}.`)
  }
  const file = fileAt(flags.FILE)
  await using source = await openSource(flags)
  const trial = await source.try({ ...file, days })
  if (flags.json) say(JSON.stringify(trial))
  else for (const line of trialLines(trial)) say(line)
  return EXIT.done
}

/** How the calls would end, and which of them would end otherwise than now. */
function trialLines({ calls, days, outcomes, changed, watching }: Trial): string[] {
  if (calls === 0) return [`No calls in the last ${days} days.`]
  const sum = changed.reduce((all, one) => all + one.calls, 0)
  return [
    `${counted(calls)} in the last ${days} days; calls that clients allow by themselves are not known.`,
    ...outcomes.map((one) => `  ${one.calls} ${outcomeWords(one.outcome)}`),
    sum === 0 ? 'None of them would end otherwise than now.' : `${sum} would end otherwise:`,
    ...changed.flatMap((one) => changedLines(one, 'now')),
    ...watching.flatMap(watchingLines),
  ]
}

function changedLines(
  { before, now, calls, examples }: Trial['changed'][number],
  when: string,
): string[] {
  return [
    `  ${calls}: ${outcomeWords(now)}; ${when} ${outcomeWords(before)}`,
    ...examples.map(({ id, tool, target }) => `      ${[tool, target ?? id].join(' ').trim()}`),
  ]
}

/** What a rule that only watches would change. */
function watchingLines({ rule, calls, changed }: Trial['watching'][number]): string[] {
  const sum = changed.reduce((all, one) => all + one.calls, 0)
  const head = `The rule ${rule} only watches. It is about ${calls} of them`
  if (sum === 0) return [`${head}, and would change none if it acted.`]
  return [`${head}; if it acted:`, ...changed.flatMap((one) => changedLines(one, 'without it'))]
}

function counted(calls: number): string {
  return calls === 1 ? 'One call' : `${calls} calls`
}

async function apply(args: string[]): Promise<number> {
  const options = {
    ...WHERE,
    because: { type: 'string' },
    base: { type: 'string' },
    commit: { type: 'string' },
    'break-glass': { type: 'string' },
  } as const
  const flags = readArguments(args, options, ['FILE'])
  const { because, base, commit, 'break-glass': breakGlass } = flags
  if (breakGlass?.trim() === '') throw new WrongUsage('--break-glass must say why.')
  const file = fileAt(flags.FILE)
  await using source = await openSource(flags)
  const applied = await source.apply({ ...file, because, base, commit, breakGlass })
  if (flags.json) say(JSON.stringify(applied))
  else {
    for (const line of applied.differences.flatMap(differenceLines)) say(line)
    note(`${flags.FILE} is in force; pages show it and change nothing.`)
    if (breakGlass !== undefined) note(applied.isGlassBroken ? BROKEN : WHOLE)
  }
  return EXIT.done
}

const BROKEN =
  'The server tells all owners what was changed and why: at once, or when it next runs. The audit trail has it.'
const WHOLE = 'Nobody had to agree to this, so no glass was broken.'

async function release(args: string[]): Promise<number> {
  await using source = await openSource(readArguments(args, WHERE))
  await source.release()
  note('Policy, groups and rules stay as they are, and are changed on the pages again.')
  return EXIT.done
}

function fileAt(file: string) {
  return { text: readText(file), name: basename(file) }
}

function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined
}

function readText(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) throw new WrongUsage(`There is no file ${file}.`)
  if (!stat.isFile() || stat.size > FILE_MAX) throw new WrongUsage(`${file} is no policy file.`)
  return readFileSync(file, 'utf8')
}
