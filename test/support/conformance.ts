import { runCommand } from './run-command.ts'
import { tempFolder } from './temp-folder.ts'
import { until } from './until.ts'

const RUNNER = Bun.resolveSync('@modelcontextprotocol/conformance/dist/index.js', import.meta.dir)

export const CONFORMANCE_LIMIT_MS = 60_000

/** What the runner said, by scenario: `✓` or `✗` with its counts. */
export type Outcome = { code: number; text: string; scenarios: Map<string, string> }

/** Runs the official runner as a process of its own against the MCP address `url`. */
export async function conformance(url: string, ...args: string[]): Promise<Outcome> {
  using folder = tempFolder()
  const command = [process.execPath, RUNNER, 'server', '--url', url, ...args]
  const how = { cwd: folder.path, timeout: CONFORMANCE_LIMIT_MS }
  const { code, out, err } = await runCommand(command, how)
  const lines = out.matchAll(/^([✓✗~]) (\S+): (\d+ passed, \d+ failed)/gmu)
  const scenarios = new Map(
    [...lines].map(([, mark, name, counts]) => [`${name}`, `${mark} ${counts}`]),
  )
  return { code, text: out + err, scenarios }
}

/** The runner, as it looks at the authorization server `issuer`, while it waits for a person. */
export function startAuthorizationConformance(issuer: string, args: string[]) {
  const folder = tempFolder()
  const child = Bun.spawn([process.execPath, RUNNER, 'authorization', '--url', issuer, ...args], {
    cwd: folder.path,
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: CONFORMANCE_LIMIT_MS,
  })
  const err = new Response(child.stderr).text()
  let out = ''
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) out += decoder.decode(chunk, { stream: true })
  })()
  return {
    /** The text as soon as it is on standard output. */
    async shows(pattern: RegExp): Promise<string> {
      await until(() => pattern.test(out) || child.exitCode !== null)
      const match = pattern.exec(out)?.[0]
      if (match === undefined) throw new Error(`the runner ended: ${out}${await err}`)
      return match
    },
    ended: (async () => {
      const code = await child.exited
      await reading
      folder[Symbol.dispose]()
      return { code, text: out + (await err) }
    })(),
  }
}

/** What any server with nothing but tools must pass: scenario and revision. */
export const SERVER_SCENARIOS = [
  ['server-initialize', '2025-11-25'],
  ['ping', '2025-11-25'],
  ['tools-list', '2025-11-25'],
  ['dns-rebinding-protection', '2025-11-25'],
  ['tools-list', '2026-07-28'],
  ['dns-rebinding-protection', '2026-07-28'],
  ['server-stateless', '2026-07-28'],
  ['http-header-validation', '2026-07-28'],
] as const

/** The scenarios of the tasks extension, which no revision requires. */
export const TASK_SCENARIOS = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-required-task-error',
] as const

export function taskScenario(name: string): string[] {
  return ['--scenario', name, '--spec-version', '2026-07-28', '--force']
}
