import type { ChangeItem } from '../records/change.ts'
import { endedBy } from '../records/grading.ts'
import { type Lock, lockDifference } from './lock.ts'
import type { UsableTool, UsedTool } from './match-uses.ts'

export const SEVERITIES = ['note', 'warning', 'error'] as const
export type Severity = (typeof SEVERITIES)[number]

export type Problem = {
  /** One of `PROBLEMS`. */
  code: ProblemCode
  severity: Severity
  /** A sentence or two. */
  message: string
  file: string
  line: number
  /** Slug of the record. */
  tool?: string
  /** Where it can be read. */
  source?: string
}

/** What a check of a repository tells, in words. */
export const PROBLEMS = {
  ended: 'It was shut down or withdrawn.',
  'ends-soon': 'It ends soon.',
  breaking: 'It broke something, or will soon.',
  'tools-changed': 'Its MCP tools are not those of beckon.lock.',
  down: 'It does not answer.',
  vulnerable: 'A locked version has a known vulnerability.',
  'maybe-vulnerable': 'It has known vulnerabilities; whether in this version is not known.',
  'licence-not-known': 'The catalog knows no licence of it.',
  unread: 'A file could not be read.',
} as const
type ProblemCode = keyof typeof PROBLEMS

export type ProblemContext = {
  changes: readonly ChangeItem[]
  today: string
  /** Ends and breaking changes within so many days count. */
  days: number
  locks?: { before: Lock; now: Lock } | undefined
}

type ToolProblem = Pick<Problem, 'code' | 'severity' | 'message' | 'source'>

/** The problems of the tools that a repository uses, each once a file. */
export function findProblems(matches: readonly UsedTool[], context: ProblemContext): Problem[] {
  const changesOf = Map.groupBy(context.changes, ({ tool }) => tool)
  const cache = new Map<UsableTool, ToolProblem[]>()
  const problems = new Map<string, Problem>()
  for (const { use, tool } of matches) {
    const own = cache.get(tool) ?? problemsOf(tool, changesOf.get(tool.slug) ?? [], context)
    cache.set(tool, own)
    for (const problem of own) {
      // A variable may be one of another tool with the same name.
      const isHint = use.kind === 'variable'
      if (isHint && problem.code !== 'ended' && problem.code !== 'ends-soon') continue
      const key = `${use.file} ${tool.slug} ${problem.code} ${problem.message}`
      if (problems.has(key)) continue
      const severity = isHint ? 'note' : problem.severity
      const message =
        use.kind === 'model' ? `${use.id} at ${tool.vendor}: ${problem.message}` : problem.message
      const { file, line } = use
      problems.set(key, { ...problem, message, severity, file, line, tool: tool.slug })
    }
  }
  return [...problems.values()]
}

function problemsOf(
  tool: UsableTool,
  changes: readonly ChangeItem[],
  context: ProblemContext,
): ToolProblem[] {
  return [
    ...endOf(tool, changes, context),
    ...breaksOf(tool, changes, context),
    ...serverProblems(tool, context),
    ...packageProblems(tool),
  ]
}

function endOf(
  tool: UsableTool,
  changes: readonly ChangeItem[],
  { today, days }: ProblemContext,
): ToolProblem[] {
  const end = changes.find(({ kind, status }) => kind === 'shutdown' && status !== 'withdrawn')
  const gate = endedBy(tool.catalog)
  if (gate && (!end || end.date > today)) {
    return [{ code: 'ended', severity: 'error', message: `${tool.name}: ${gate.reason}` }]
  }
  if (!end) return []
  const instead = end.replacement ? ` Use ${end.replacement} instead.` : ''
  const about = {
    message: `${tool.name} ${end.date <= today ? 'ended' : 'ends'} on ${end.date}. ${end.what}${instead}`,
    source: end.source,
  }
  if (end.date <= today) return [{ code: 'ended', severity: 'error', ...about }]
  return [
    {
      code: 'ends-soon',
      severity: end.date <= plusDays(today, days) ? 'warning' : 'note',
      ...about,
    },
  ]
}

function breaksOf(
  tool: UsableTool,
  changes: readonly ChangeItem[],
  { today, days }: ProblemContext,
): ToolProblem[] {
  const near = changes.filter(
    ({ kind, status, date }) =>
      kind === 'breaking' &&
      status !== 'withdrawn' &&
      date >= plusDays(today, -days) &&
      date <= plusDays(today, days),
  )
  return near.map(({ date, what, source }) => ({
    code: 'breaking',
    severity: 'warning',
    message: `${tool.name}, ${date}: ${what}`,
    source,
  }))
}

function serverProblems(tool: UsableTool, { locks }: ProblemContext): ToolProblem[] {
  const { probe } = tool.live
  const difference = locks && lockDifference(locks.before, locks.now, tool.slug)
  return [
    ...(difference === undefined
      ? []
      : [
          {
            code: 'tools-changed',
            severity: 'error',
            message: `${tool.name}: ${difference}. Look at them, then run with --lock.`,
          } as const,
        ]),
    ...(probe?.lastOk === false
      ? [
          {
            code: 'down',
            severity: 'warning',
            message: `${tool.name} did not answer at ${probe.lastAt}.`,
          } as const,
        ]
      : []),
  ]
}

function packageProblems(tool: UsableTool): ToolProblem[] {
  if (tool.packages.length === 0 || tool.license || tool.where === 'hosted') return []
  const message = `The catalog knows no licence of ${tool.name}.`
  return [{ code: 'licence-not-known', severity: 'note', message }]
}

function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}
