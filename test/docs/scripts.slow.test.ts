import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeClientFile } from '../../src/platform/config/client-file.ts'
import { type RestWorld, restWorld } from '../ask/http/rest-world.ts'
import { runCommand } from '../support/run-command.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'
import { page } from './blocks.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

const MAIN = join(import.meta.dir, '../../src/main.ts')

let world: RestWorld
let bin: ReturnType<typeof tempFolder>
let env: Record<string, string>
beforeAll(async () => {
  world = await restWorld()
  bin = tempFolder()
  program(join(bin.path, 'beckon'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`)
  // As `beckon setup` leaves the machine; the variables are tried in test/cli.
  const token = (world.headersOf('agent').authorization ?? '').replace('Bearer ', '')
  writeClientFile({ url: world.url, token, machineId: 'm_test' }, { HOME: bin.path })
  env = {
    PATH: `${bin.path}:${process.env.PATH}`,
    HOME: bin.path,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@example.com',
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@example.com',
  }
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  bin[Symbol.dispose]()
})

function program(path: string, text: string) {
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

async function example(name: string): Promise<string> {
  const text = await page('docs/scripts.md')
  const script = new RegExp(`^\`\`\`sh example ${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text)?.[1]
  if (script === undefined) throw new Error(`docs/scripts.md has no example ${name}`)
  return script
}

async function run(command: string[], cwd: string, more: Record<string, string> = {}) {
  return await runCommand(command, {
    cwd,
    env: { ...env, ...more },
  })
}

type Open = { question: string; correlationId: string }

/** Answers the next question that says `part`. */
async function answer(part: string, value: string) {
  let open: Open | undefined
  await until(async () => {
    const { body } = await world.call({ as: 'member', path: '/api/v1/inbox' })
    open = (body as { questions: Open[] }).questions.find(({ question }) => question.includes(part))
    return open !== undefined
  })
  const path = `/api/v1/questions/${open?.correlationId}/answer`
  await world.call({ as: 'member', method: 'POST', path, body: { value } })
}

async function titles() {
  const { text } = await world.call({ as: 'member', path: '/api/v1/activity' })
  return text
}

test.each([
  ['exit 0', 'staging', 0, 'Deployed to staging'],
  ['echo "no room" >&2; exit 7', 'production', 7, 'Deploy to production failed'],
])(
  'the deploy script asks where to and says how it went (%s)',
  async (deploy, where, code, title) => {
    using folder = tempFolder()
    program(join(folder.path, 'deploy'), `#!/bin/sh\n${deploy}\n`)
    program(join(folder.path, 'run'), await example('deploy'))
    const running = run(['./run'], folder.path)
    await answer('Deploy where?', where)
    expect((await running).code).toBe(code)
    expect(await titles()).toContain(title)
  },
)

/** A clone with the hook and one commit, and the repository it pushes to. */
async function clone(folder: string) {
  const git = (...args: string[]) => run(['git', ...args], folder)
  await git('init', '-q', '--bare', 'there.git')
  await git('init', '-q', '-b', 'main', 'here')
  const here = join(folder, 'here')
  mkdirSync(join(here, '.git/hooks'), { recursive: true })
  program(join(here, '.git/hooks/pre-push'), await example('pre-push'))
  await run(['git', 'commit', '-q', '--allow-empty', '-m', 'Faster search'], here)
  const push = (branch: string, more?: Record<string, string>) =>
    run(['git', 'push', '-q', '../there.git', `HEAD:refs/heads/${branch}`], here, more)
  const pushed = async () =>
    (
      await run(['git', 'branch', '--format=%(refname:short)'], join(folder, 'there.git'))
    ).out.trim()
  return { push, pushed }
}

test('the hook lets a push to main pass with a yes, and other branches without a question', async () => {
  using folder = tempFolder()
  const { push, pushed } = await clone(folder.path)
  expect((await push('topic')).code).toBe(0)
  expect(await pushed()).toBe('topic')

  const refused = push('main')
  await answer('Faster search', 'no')
  expect(await refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('the answer was no'),
  })
  expect(await pushed()).toBe('topic')

  const passing = push('main')
  await answer('Faster search', 'yes')
  expect((await passing).code).toBe(0)
  expect((await pushed()).split('\n')).toEqual(['main', 'topic'])
})

test('without a server nothing is pushed to main', async () => {
  using folder = tempFolder()
  const { push, pushed } = await clone(folder.path)
  const { code, err } = await push('main', {
    BECKON_URL: 'http://127.0.0.1:9',
    BECKON_TOKEN: 'bk_other',
  })
  expect(code).toBe(1)
  expect(err).toContain('cannot be reached')
  expect(err).toContain('Not pushed.')
  expect(await pushed()).toBe('')
})
