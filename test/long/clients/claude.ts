import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver } from './driver.ts'
import { followedBy } from './followed.ts'
import { HOSTILE_SETTINGS } from './hostile-settings.ts'
import { IN_THE_SCOPE } from './in-the-scope.ts'
import { leftAlone } from './left-alone.ts'
import { anthropic } from './models/anthropic.ts'
import { type Model, startModel } from './models/model.ts'
import type { Stage } from './stage.ts'
import { openTerminal } from './terminal.ts'
import type { ClientWorld } from './world.ts'

export const claudeEnv = (model: Model) => ({
  ANTHROPIC_BASE_URL: model.url,
  ANTHROPIC_API_KEY: 'KEY',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
})

const print = (world: ClientWorld, model: Model, binary: string, more: string[]) =>
  world.run([binary, '-p', 'go', '--output-format', 'stream-json', '--verbose', ...more], {
    env: claudeEnv(model),
  })

async function seat(
  { world, model, binary }: Pick<Stage, 'world' | 'model' | 'binary'>,
  more: readonly string[],
) {
  const terminal = await openTerminal(world, [binary, ...more], claudeEnv(model))
  await terminal.shows(/for shortcuts|(plan|manual) mode on/)
  return terminal
}

export const claude: Driver = {
  name: 'claude',
  package: '@anthropic-ai/claude-code',
  startModel: () => startModel(anthropic),
  async connect(world) {
    const projects = { [world.project]: { hasTrustDialogAccepted: true } }
    const keys = { approved: ['KEY'], rejected: [] }
    const seen = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: keys,
      // An idle session is reported after this, in place of a minute.
      messageIdleNotifThresholdMs: 8_000,
    }
    writeFileSync(join(world.home, '.claude.json'), JSON.stringify({ ...seen, projects }))
    await world.setUp('claude')
  },
  run: (world, model, binary) =>
    print(world, model, binary, [
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Bash,mcp__memory,mcp__files,mcp__browser,mcp__database,mcp__notes',
    ]),
  runAsking: (world, model, binary) =>
    print(world, model, binary, ['--permission-mode', 'default']),
  sitDown: (world, model, binary, mode) =>
    seat({ world, model, binary }, ['--permission-mode', mode ?? 'default']),
  choose: (question, options) => ({
    tool: 'AskUserQuestion',
    input: {
      questions: [
        {
          question,
          header: 'Database',
          multiSelect: false,
          options: options.map((label) => ({ label, description: `What ${label} means` })),
        },
      ],
    },
  }),
  // The plan is a file, which the prompt names; what the call says of it is not looked at.
  plan: (text) => [
    (body) => {
      const path = /[^\s"\\]+\/plans\/[^\s"\\]+\.md/.exec(body)?.[0] ?? ''
      return { tool: 'Write', input: { file_path: path, content: text } }
    },
    { tool: 'ExitPlanMode', input: {} },
  ],
  more: [...HOSTILE_SETTINGS, ...IN_THE_SCOPE, ...followedBy(seat), leftAlone(seat)],
  ours: (tool, input) => ({ tool: `mcp__beckon__${tool}`, input }),
  write: (path, content) => ({ tool: 'Write', input: { file_path: path, content } }),
  shell: (command) => ({ tool: 'Bash', input: { command, description: 'a command' } }),
}
