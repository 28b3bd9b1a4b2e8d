import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import {
  applyFile,
  compareFile,
  type FileDeps,
  releaseFile,
} from '../ask/policy-file/apply-file.ts'
import { checkFile } from '../ask/policy-file/check-file.ts'
import { exportFile } from '../ask/policy-file/export-file.ts'
import { differenceLines } from '../ask/policy-file/model/difference.ts'
import { type Finding, findingLine } from '../ask/policy-file/model/finding.ts'
import { readState } from '../ask/policy-file/model/policy-state.ts'
import { readPolicyFile } from '../ask/policy-file/model/read-policy-file.ts'
import { outcomeWords } from '../ask/policy-file/outcome.ts'
import { type Trial, tryFile } from '../ask/policy-file/try-file.ts'
import { chooseWorkspace } from '../ask/tokens/agent-tokens.ts'
import { systemClock } from '../platform/clock.ts'
import { EXIT } from '../platform/command.ts'
import type { Config } from '../platform/config/config.ts'
import { openKnownDatabase } from '../platform/db/open-database.ts'
import { addressForLinks } from '../platform/db/server-address.ts'
import { Failure, WrongUsage } from '../platform/failure.ts'
import {
  DATA_OPTION,
  readArguments,
  readOpenArguments,
  subcommand,
} from '../platform/terminal/arguments.ts'
import { note, noteError, say } from '../platform/terminal/terminal.ts'
import { readConfig } from '../settings.ts'
import { refuseBesideService } from './service/beside-service.ts'

const HERE = { ...DATA_OPTION, workspace: { type: 'string' }, json: { type: 'boolean' } } as const
const FILE_MAX = 1_000_000
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
  const flags = readOpenArguments(args, { ...HERE, 'base-url': { type: 'string' } })
  const [file, extra] = flags.operands
  if (extra !== undefined) throw new WrongUsage(`"${extra}" is one argument too many.`)
  await using here = await open(flags)
  const before = file === undefined || !isThere(file) ? undefined : readText(file)
  const { baseUrl } = addressForLinks(here.config, flags['base-url'])
  const text = await exportFile(here.deps, here.workspaceId, { baseUrl, before })
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
  const flags = readArguments(args, HERE, ['FILE'])
  const text = readText(flags.FILE)
  const isOffline = flags.data === undefined && flags.workspace === undefined
  const findings = isOffline ? checkText(text) : await checkHere(text, flags)
  findings.sort((a, b) => a.line - b.line)
  const errors = findings.filter(({ level }) => level !== 'note')
  if (flags.json) say(JSON.stringify({ findings }))
  else {
    for (const one of findings) say(findingLine(flags.FILE, one))
    if (errors.length === 0) note(`${flags.FILE} can be applied.`)
  }
  return errors.length === 0 ? EXIT.done : EXIT.failed
}

function checkText(text: string, ...state: Parameters<typeof checkFile>[2][]): Finding[] {
  const { value, lineOf, findings } = readPolicyFile(text)
  return value ? [...findings, ...checkFile(value, lineOf, state[0])] : findings
}

async function checkHere(text: string, flags: Flags): Promise<Finding[]> {
  await using here = await open(flags)
  return checkText(text, await readState(here.deps.db.read, here.workspaceId))
}

async function diff(args: string[]): Promise<number> {
  const flags = readArguments(args, HERE, ['FILE'])
  await using here = await open(flags)
  const compared = await compareFile(here.deps, here.workspaceId, fileIn(flags.FILE))
  const { differences, state } = compared
  if (flags.json) say(JSON.stringify(compared))
  else {
    for (const line of differences.flatMap(differenceLines)) say(line)
    note(
      differences.length === 0
        ? `${flags.FILE} is what is in force.`
        : `To apply it to this state: beckon policy apply ${flags.FILE} --base ${state}`,
    )
  }
  return differences.length === 0 ? EXIT.done : EXIT.differs
}

async function tryIt(args: string[]): Promise<number> {
  const flags = readArguments(args, { ...HERE, days: { type: 'string' } }, ['FILE'])
  const days = flags.days === undefined ? DAYS : Number(flags.days)
  if (!Number.isInteger(days) || days < 1 || days > DAYS_MAX) {
    throw new WrongUsage(`--days must be a whole number from 1 to ${DAYS_MAX}.`)
  }
  await using here = await open(flags)
  const trial = await tryFile(here.deps, here.workspaceId, { ...fileIn(flags.FILE), days })
  if (flags.json) say(JSON.stringify(trial))
  else for (const line of trialLines(trial)) say(line)
  return EXIT.done
}

/** How the calls would end, and which of them would end otherwise than now. */
function trialLines({ calls, days, outcomes, changed }: Trial): string[] {
  if (calls === 0) return [`No calls in the last ${days} days.`]
  const sum = changed.reduce((all, one) => all + one.calls, 0)
  return [
    `${counted(calls)} in the last ${days} days; calls that clients allow by themselves are not known.`,
    ...outcomes.map((one) => `  ${one.calls} ${outcomeWords(one.outcome)}`),
    sum === 0 ? 'None of them would end otherwise than now.' : `${sum} would end otherwise:`,
    ...changed.flatMap(({ before, now, calls: many, examples }) => [
      `  ${many}: ${outcomeWords(now)}; now ${outcomeWords(before)}`,
      ...examples.map(({ id, tool, target }) => `      ${[tool, target ?? id].join(' ').trim()}`),
    ]),
  ]
}

function counted(calls: number): string {
  return calls === 1 ? 'One call' : `${calls} calls`
}

async function apply(args: string[]): Promise<number> {
  const options = {
    ...HERE,
    because: { type: 'string' },
    base: { type: 'string' },
    commit: { type: 'string' },
  } as const
  const flags = readArguments(args, options, ['FILE'])
  const { because, base, commit } = flags
  await using here = await open(flags)
  const applying = { ...fileIn(flags.FILE), because, base, commit }
  const applied = await applyFile(here.deps, here.workspaceId, applying)
  if (flags.json) say(JSON.stringify(applied))
  else {
    for (const line of applied.differences.flatMap(differenceLines)) say(line)
    note(`${flags.FILE} is in force; pages show it and change nothing.`)
  }
  return EXIT.done
}

async function release(args: string[]): Promise<number> {
  const flags = readArguments(args, HERE)
  await using here = await open(flags)
  await releaseFile(here.deps, here.workspaceId)
  note('Policy, groups and rules stay as they are, and are changed on the pages again.')
  return EXIT.done
}

type Flags = {
  data?: string | undefined
  workspace?: string | undefined
  'base-url'?: string | undefined
}

type Here = AsyncDisposable & {
  deps: FileDeps
  workspaceId: Awaited<ReturnType<typeof chooseWorkspace>>
  config: Config
}

async function open({ data, workspace, 'base-url': url }: Flags): Promise<Here> {
  const config = readConfig({ data, 'base-url': url })
  await refuseBesideService(config)
  const db = await openKnownDatabase(config)
  const deps = { db, clock: systemClock }
  const workspaceId = await chooseWorkspace(deps, workspace)
  return { deps, workspaceId, config, [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() }
}

function fileIn(file: string) {
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
