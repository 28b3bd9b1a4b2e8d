import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { loadHookClient } from '../../../src/agent/clients/clients.ts'
import { approvalAsk } from '../../../src/agent/hook/approval-ask.ts'
import { mayBeRuled } from '../../../src/agent/hook/may-be-ruled.ts'
import type { HookContext } from '../../../src/agent/session/context.ts'
import { whereOf } from '../../../src/agent/session/refresh.ts'
import { insertGroup } from '../../../src/ask/groups/model/store.ts'
import { reportHook } from '../../../src/ask/hooks/report-hook.ts'
import { addRule, removeRule } from '../../../src/ask/policy/change-policy.ts'
import type { RuleMatch } from '../../../src/ask/policy/model/rule-match.ts'
import { readRuleMatches } from '../../../src/ask/policy/rule-matches.ts'
import type { RuleInput } from '../../../src/ask/policy/write-rule.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { SEED } from '../../support/seed.ts'
import { howOften } from '../../support/share.ts'

setDefaultTimeout(120_000)

const GROUP = 'group_engineers'
const MACHINE = 'm1'

async function withGroup(): Promise<FlowWorld> {
  const world = await flowWorld()
  const { workspaceId } = world.call().caller
  const names = { name: 'engineers', source: 'hand', externalId: undefined } as const
  await world.db.write((tx) => insertGroup(tx, { id: GROUP, workspaceId, ...names, createdAt: 1 }))
  return world
}

/** The run of a hook before a tool. */
async function running(tool: string, input: object, cwd: string): Promise<HookContext> {
  const client = await loadHookClient('claude')
  if (!client) throw new Error('there is no such client')
  const call = client.parse(
    { session_id: 's1', hook_event_name: 'PreToolUse', cwd, tool_name: tool, tool_input: input },
    {},
  )
  const service = { url: 'http://127.0.0.1:1', token: 'bk', machineId: MACHINE }
  const own = { folders: [], files: [] }
  const time = { left: () => 1_000, signal: new AbortController().signal }
  return { client, call, cut: false, state: '/nowhere', own, service, ...time }
}

const targets = [
  ...['terraform apply', 'terraform apply -auto-approve', 'npm test', 'git push'],
  ...[
    'cd infra && terraform apply',
    'sudo /usr/bin/terraform -chdir=x apply',
    'echo terraform apply',
  ],
  ...[
    'A="$B" terraform "apply"',
    't\\erraform apply',
    "$'terraform' apply; npm test",
    'ls | xargs npm i',
  ],
  ...[
    `echo ${'y'.repeat(5_000)}; $X; make`,
    'git commit -m "terraform apply"',
    'mytool; npm -w a ci',
  ],
  ...['  terraform   apply ', 'terraform\napply', 'a\u200bb c', 'x'.repeat(200)],
  ...[
    'export TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ456789',
    'curl -H "authorization: Bearer abcdefghij"',
  ],
]
const calls = fc.oneof(
  fc.record({
    tool: fc.constantFrom('Bash', 'PowerShell', ' Bash ', 'mcp__ops__run_command'),
    input: fc.constantFrom(...targets).map((command) => ({ command })),
  }),
  fc.record({
    tool: fc.constantFrom('Write', 'Edit', 'mcp__fs__write_file'),
    input: fc
      .constantFrom('src/a.ts', '/tmp/p/src/a.ts', '../b', 'infra/Prod.tf')
      .map((file_path) => ({ file_path, content: 'x', path: file_path })),
  }),
  fc.record({ tool: fc.constantFrom('mcp__x__y', 'WebFetch'), input: fc.constant({ q: 1 }) }),
)
const text = (...values: string[]) => fc.constantFrom(undefined, undefined, undefined, ...values)
const matchOf = fc.record({
  toolName: text('Bash', 'Write', 'mcp__ops__run_command', 'WebFetch'),
  toolTarget: text(
    ...['terraform apply', 'terraform*', 'terraform apply; *', 'npm *', 'src/a.ts', 'src/*', '*'],
    ...['export TOKEN=*', 'a*', `${'x'.repeat(79)}*`, '/tmp/p/src*'],
  ),
  machineId: text(MACHINE, 'm2'),
  agentName: text('Claude Code - p', 'Codex - p'),
  token: fc.constantFrom(undefined, undefined, 'key_test', 'key_test', 'key_other'),
  owner: text(GROUP),
})
const kinds: RuleInput[] = [
  { decision: 'deny' },
  { decision: 'allow' },
  { decision: 'ask' },
  { approve: { from: [GROUP] } },
  { approve: { from: [GROUP], except: [{ token: 'key_test' }] } },
  { approve: { from: [GROUP], except: [{ toolTarget: 'terraform apply*' }] } },
  { decision: 'deny', mode: 'watch' },
  { approve: { from: [GROUP] }, mode: 'watch' },
]
const rulesOf = fc.array(fc.record({ match: matchOf, kind: fc.constantFrom(...kinds) }), {
  minLength: 2,
  maxLength: 6,
})

test(`what a rule decides on the server, the hook sends there (seed ${SEED})`, async () => {
  await using world = await withGroup()
  const { deps } = world
  const call = world.call()
  const { workspaceId } = call.caller
  let decided = 0
  let requests = 0
  let at = 0
  const property = fc.asyncProperty(
    rulesOf,
    fc.array(calls, { minLength: 4, maxLength: 4 }),
    async (rules, list) => {
      const ids: Array<Awaited<ReturnType<typeof addRule>>['id']> = []
      for (const { match, kind } of rules) {
        const fields = Object.entries(match).filter(([, value]) => value !== undefined)
        const one = { match: Object.fromEntries(fields) as RuleMatch, ...kind }
        // Some are refused, such as one that allows every tool.
        await addRule(deps, workspaceId, one).then(
          ({ id }) => ids.push(id),
          () => {},
        )
      }
      const matches = await readRuleMatches(deps, call.caller)
      for (const { tool, input } of list) {
        const context = await running(tool, input, '/tmp/p')
        const ask = { ...approvalAsk(context, `use-${++at}`), onlyByRule: true, wait: false }
        const reply = await reportHook(
          deps,
          {
            event: 'approval',
            client: 'claude',
            sessionId: 's1',
            machineId: MACHINE,
            ...whereOf(context),
            ask,
          },
          world.call(),
        )
        const may = mayBeRuled(context, matches)
        if (may) requests++
        if (reply.noRule) continue
        decided++
        expect({ may, tool, input, matches }).toEqual({ may: true, tool, input, matches })
      }
      for (const id of ids) await removeRule(deps, workspaceId, id)
    },
  )
  await fc.assert(property, { seed: SEED, numRuns: howOften(200, 3_000) })
  expect(decided).toBeGreaterThan(20)
  // Most of what is sent is decided: a hook that sent everything would be right, and slow.
  expect(requests).toBeLessThan(decided * 2)
})
