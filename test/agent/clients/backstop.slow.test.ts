import { expect, test } from 'bun:test'
import { beckon } from '../../support/beckon.ts'
import { keptBaselines } from '../../support/git-session.ts'
import { contract, hookWorld } from '../../support/hook-world.ts'
import { put, repository } from '../../support/repository.ts'
import type { Ran } from '../../support/run-command.ts'
import { until } from '../../support/until.ts'
import { commandOf, type Session, sessionsIn } from './sessions.ts'

type Json = Record<string, unknown>

const TOLD =
  'Beckon: files changed that the scope of this session does not cover: "README.md". The person is told. If a command of yours did it, do not do it again, and do not undo it without asking: say what happened and why, and if the task needs it ask for another scope with propose_scope. If it was not yours, leave it alone.'
const command = 'make'
const printed = (output: Json): Ran => ({ code: 0, out: JSON.stringify(output), err: '' })
const NOTHING: Ran = { code: 0, out: '', err: '' }
const inside = (hookEventName: string) =>
  printed({ hookSpecificOutput: { hookEventName, additionalContext: TOLD } })
const ran = (event: string, tool: string, input: Json = { command }) => ({
  hook_event_name: event,
  tool_name: tool,
  tool_input: input,
  tool_response: 'done',
})

/** What each client says after a shell command, beside what stands in all it says; and what it is told. */
const AFTER: Record<string, [input: Json, told: Ran, silent?: Ran]> = {
  copilot: [
    { toolName: 'bash', toolArgs: { command }, toolResult: {} },
    printed({ additionalContext: TOLD }),
  ],
  'copilot (PascalCase)': [ran('PostToolUse', 'Bash'), printed({ additionalContext: TOLD })],
  vscode: [{ ...ran('', 'run_in_terminal'), hookEventName: 'PostToolUse' }, inside('PostToolUse')],
  cursor: [
    { hook_event_name: 'afterShellExecution', command, output: '' },
    printed({ additional_context: TOLD }),
  ],
  // It has a place for text before the model runs alone.
  agy: [
    { toolCall: { name: 'run_command', args: { CommandLine: command } } },
    printed({}),
    printed({}),
  ],
  opencode: [
    { event: 'tool.execute.after', input: { tool: 'bash', sessionID: 's1', args: { command } } },
    printed({ context: TOLD }),
  ],
  gemini: [ran('AfterTool', 'run_shell_command'), inside('AfterTool')],
  qwen: [ran('PostToolUse', 'run_shell_command'), inside('PostToolUse')],
  droid: [ran('PostToolUse', 'Execute'), inside('PostToolUse')],
  goose: [
    { event: 'PostToolUse', tool_name: 'developer__shell', tool_input: { command } },
    NOTHING,
  ],
  windsurf: [
    { agent_action_name: 'post_run_command', tool_info: { command_line: command } },
    NOTHING,
  ],
  cline: [
    {
      hookName: 'PostToolUse',
      postToolUse: { toolName: 'execute_command', parameters: { command } },
    },
    printed({ cancel: false, contextModification: TOLD }),
    printed({ cancel: false }),
  ],
}

test('every client with a table is here', () => {
  expect(Object.keys(AFTER)).toEqual(Object.keys(sessionsIn('/')))
})

// git has 200 ms: on a busy machine the hook goes on without it, and tells the person alone.
const ON_A_BUSY_MACHINE = { retry: 3 }

test.each(Object.keys(AFTER))(
  '%s: what changed outside is told to the byte',
  async (name) => {
    using world = hookWorld()
    repository(world.project, { 'README.md': '1' })
    const { proposed } = sessionsIn(world.project)[name] as Session
    const [about, notice, silent = NOTHING] = AFTER[name] as (typeof AFTER)[string]
    // What makes it one session: its id, its folder.
    const { toolName, toolArgs, toolResult, toolCall, tool_info, ...session } = proposed
    const run = (input: Json) =>
      beckon(commandOf(name, 'proposed'), {
        env: world.env,
        stdin: JSON.stringify(input),
        cwd: world.project,
      })
    world.server.contract = contract({ allowedPaths: ['src/**'] })
    await run(proposed)
    const after = { ...session, ...about }
    await until(async () => {
      expect(await run(after)).toEqual(silent)
      return keptBaselines(world).some((name) => name.endsWith('.json'))
    })
    put(world.project, { 'README.md': '2' })
    let outcome = silent
    await until(async () => {
      outcome = await run(after)
      expect([notice, silent]).toContainEqual(outcome)
      return outcome.out === notice.out
    })
    expect(outcome).toEqual(notice)
    await until(() => world.server.notes.length > 0)
    expect(world.server.notes[0]).toMatchObject({ context: { filesChanged: ['README.md'] } })
    expect(await run(after)).toEqual(silent)
  },
  ON_A_BUSY_MACHINE,
)
