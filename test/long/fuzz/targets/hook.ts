import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { pathsOfPatch, scanTool } from '../../../../src/agent/calls/scan-tool.ts'
import { showCall } from '../../../../src/agent/calls/show-call.ts'
import type { HookCall, Rendered, Verdict } from '../../../../src/agent/calls/tool-call.ts'
import {
  findOtherWriter,
  HOOK_CLIENTS,
  loadHookClient,
} from '../../../../src/agent/clients/clients.ts'
import { judgeCall } from '../../../../src/agent/hook/judge-call.ts'
import { readInput, readPartialJson } from '../../../../src/agent/hook/read-input.ts'
import { readTouches } from '../../../../src/agent/touches/touches.ts'
import { codePoints } from '../../../../src/platform/text.ts'
import { sessionsIn } from '../../../agent/clients/sessions.ts'
import { PIECES as SHELL_PIECES } from '../../../agent/touches/pieces.ts'
import { asJsonText, mutatedText, nearly, ODD_TEXT, ODD_VALUE } from '../mutate.ts'
import { must, parser, type Target } from '../target.ts'

const FIXTURES = join(import.meta.dir, '../../../fixtures/clients')

/** What clients were recorded to say, and what their documents say that they would. */
const RECORDED: unknown[] = readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
  .map(({ parentPath, name }) => JSON.parse(readFileSync(join(parentPath, name), 'utf8')))
const SESSIONS = sessionsIn('/nowhere/p')

const COMMANDS = [
  'rm -rf build && echo done > out.txt',
  "sed -i 's/a/b/' src/*.ts | tee log",
  'cat <<EOF > a.txt\nhello\nEOF\n',
  'cd /tmp; for f in a b; do cp "$f" dir/; done',
  'git -C repo checkout -- . ; find . -name "*.o" -exec rm {} \\;',
  "bash -lc 'mv a b'",
  'Set-Content -Path C:\\x.txt -Value 1',
]
const command = mutatedText(COMMANDS, SHELL_PIECES)
const PATCH =
  '*** Begin Patch\n*** Add File: a.txt\n+x\n*** Update File: b\n*** Move to: c\n*** End Patch'

const VERDICT: fc.Arbitrary<Verdict> = fc.oneof(
  fc.constant<Verdict>({ is: 'silent' }),
  ODD_TEXT.map((reason): Verdict => ({ is: 'deny', reason })),
  ODD_TEXT.map((reason): Verdict => ({ is: 'ask', reason })),
  ODD_TEXT.map((text): Verdict => ({ is: 'context', text })),
  ODD_VALUE.map((updatedInput): Verdict => ({ is: 'allow', updatedInput })),
)

const EVENTS = [
  'PreToolUse',
  'preToolUse',
  'BeforeTool',
  'pre_run_command',
  'question.asked',
  '',
  'constructor',
]

/** Of one client: whatever comes is read, judged, shown, and answered within its words. */
function client(name: string): Target {
  const own = Object.entries(SESSIONS)
    .filter(([key]) => key.startsWith(name))
    .map(([, one]) => one)
  const calls = own.flatMap((one) => [
    one.start,
    one.write('infra/a.txt'),
    one.shell(COMMANDS[0] ?? ''),
    one.proposed,
  ])
  const input = fc.tuple(
    nearly(...calls, ...RECORDED),
    fc.option(fc.constantFrom(...EVENTS), { nil: undefined }),
    VERDICT,
  )
  return {
    ...parser(`hook: ${name}`, [`hook ${name}`], input, () => 'taken'),
    async begin() {
      const client = await loadHookClient(name)
      if (!client) throw new Error(name)
      return {
        input,
        async attempt([input, event, verdict]: [unknown, string | undefined, Verdict]) {
          findOtherWriter(name, input)
          const call = client.parse(input, {}, event)
          fitCall(call)
          fitShown(call)
          fitRendered(client.render(verdict, call))
          client.canAsk(call)
          const judged = await judgeCall({ call, own: { folders: [], files: [] } }, KEPT as never)
          return judged.is === 'within' ? 'taken' : 'refused'
        },
      }
    },
  }
}

const KEPT = {
  contract: { allowedPaths: ['src/**'], offLimitsPaths: ['infra/**'], doneWhen: 'x', widened: [] },
  ...{ widened: [], roots: ['/nowhere/p'] },
}

function fitCall({ cwd, roots, touches, event }: HookCall): void {
  must(cwd.startsWith('/') && roots.length > 0, `no place: ${cwd} ${roots}`)
  must(
    touches.every(({ path }) => typeof path === 'string'),
    'a path that is no text',
  )
  must(typeof event === 'string', 'no event')
}

function fitShown(call: HookCall): void {
  const { question, action = '', actionBody = '' } = showCall(call, call.target)
  must(question !== '' && codePoints(question) <= 500, `a question of ${question.length}`)
  must(codePoints(action) <= 500 && codePoints(actionBody) <= 4_000, 'more than may be shown')
}

function fitRendered({ stdout, exit }: Rendered): void {
  if (stdout !== '') JSON.parse(stdout)
  must(exit === 0 || exit === 2, `exit ${exit}`)
}

const bytes = new TextEncoder()

export const HOOK_TARGETS: readonly Target[] = [
  ...HOOK_CLIENTS.map(client),
  parser(
    'hook: standard input',
    ['src/agent/hook/read-input.ts#readPartialJson', 'src/agent/hook/read-input.ts#readInput'],
    asJsonText(nearly(...RECORDED)),
    async (text) => {
      readPartialJson(text)
      const { value, cut } = await readInput(new Blob([bytes.encode(text)]).stream(), 1_000)
      return value === undefined || cut ? 'refused' : 'taken'
    },
  ),
  parser(
    'hook: patches',
    ['src/agent/calls/scan-tool.ts#pathsOfPatch'],
    mutatedText([PATCH]),
    (text) => {
      const touches = pathsOfPatch(text)
      must(
        touches.every(({ path }) => path !== '' && !/[\r\n]/.test(path)),
        'a path over lines',
      )
      return touches.length > 0 ? 'taken' : 'refused'
    },
  ),
  parser(
    'hook: tools that nobody knows',
    ['src/agent/calls/scan-tool.ts#scanTool', 'src/agent/calls/read-tool.ts#readTool'],
    fc.tuple(
      ODD_TEXT,
      nearly({ path: 'a', command: 'rm x', edits: [{ file_path: '/b' }], args: '["a"]' }),
    ),
    ([name, input]) => {
      const { touches } = scanTool(name, input)
      must(
        touches.every(({ path }) => typeof path === 'string'),
        'a path that is no text',
      )
      return 'taken'
    },
  ),
  parser(
    'shell: any command',
    ['src/agent/touches/touches.ts#readTouches'],
    fc.oneof(
      command,
      fc.array(fc.constantFrom(...SHELL_PIECES), { maxLength: 60 }).map((all) => all.join('')),
    ),
    (text) => {
      const place = { cwd: '/w', look: () => undefined, list: () => undefined }
      const { touches, names, open } = readTouches(text, place)
      must(touches.length <= 500 && names.length <= 1_000, 'more than is looked at')
      must(open !== '', 'open without a reason')
      for (const { path } of touches) must(/^([/~]|[A-Za-z]:[\\/])/.test(path), `no place: ${path}`)
      return open === undefined ? 'taken' : 'refused'
    },
    300,
  ),
]
