import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsClient, pythonClient } from '../../packages/release/clients.ts'
import { npmRegistry } from '../support/npm-registry.ts'
import { PYTHON } from '../support/python.ts'
import { runCommand } from '../support/run-command.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { type Person, person } from './js/adapters/person.ts'

// npm, pip and programs of both languages, on a busy machine.
setDefaultTimeout(120_000)

const EXAMPLES = join(import.meta.dir, '../../examples')
const LICENCE = { repository: '', licence: 'The licence.' }
const folder = tempFolder()
afterAll(() => folder[Symbol.dispose]())

type Language = {
  name: string
  /** The command that starts an agent, and the ends of its files. */
  program: string[]
  end: string
  env: Record<string, string>
}

const NODE = Bun.which('node') ?? ''
const LANGUAGES: Language[] = [
  { name: 'javascript', program: [NODE], end: '.js', env: {} },
  {
    ...{ name: 'python', program: [PYTHON ?? ''], end: '.py' },
    env: { PYTHONPATH: `${join(EXAMPLES, 'python')}:${join(EXAMPLES, '../packages/python/src')}` },
  },
]

const placeOf = (language: string) => join(folder.path, language)

async function succeed(command: string[], cwd: string, env: Record<string, string> = {}) {
  const { PATH = '' } = process.env
  const ran = await runCommand(command, { cwd, env: { PATH, HOME: folder.path, ...env } })
  expect([command.join(' '), ran.code, ran.code && ran.err]).toEqual([command.join(' '), 0, 0])
  return ran.out
    .trim()
    .split('\n')
    .map((line) => line.trim())
}

const serverEnv = ({ server }: Person) => ({
  ...{ BECKON_URL: server.url, BECKON_TOKEN: server.token },
})

let install: { code: number; err: string }
beforeAll(async () => {
  for (const { name } of LANGUAGES) cpSync(join(EXAMPLES, name), placeOf(name), { recursive: true })
  const packages = join(folder.path, 'packages')
  mkdirSync(packages)
  const { file, bytes } = await jsClient(LICENCE)
  writeFileSync(join(packages, file), bytes)
  using npm = await npmRegistry(packages)
  writeFileSync(join(placeOf('javascript'), '.npmrc'), `registry=${npm.url}\n`)
  const { PATH = '' } = process.env
  const how = { cwd: placeOf('javascript'), env: { PATH, HOME: folder.path } }
  install = await runCommand(['npm', 'install', '--silent'], how)
})

/** An agent, what it asks, and what it prints after a yes, perhaps with other arguments. */
type Agent = { name: string; question: string; count?: number; changed?: object; yes: string[] }

const AGENTS: Agent[] = [
  { name: 'deploy-bot', question: 'Deploy?', yes: ['deployed 1.4.2', 'done'] },
  {
    ...{ name: 'refund-bot', question: 'Refund?', changed: { amount: 40 } },
    yes: ['refunded 40 EUR of order-7', 'done'],
  },
  {
    ...{ name: 'email-sender', question: 'Send an e-mail?', count: 2 },
    yes: [
      'sent "We have moved" to everybody@example.com',
      'sent "Your invoice" to kim@example.com',
      ...['done', 'done'],
    ],
  },
  {
    ...{ name: 'sql-agent', question: 'Change the database?' },
    yes: [
      'read: SELECT count(*) FROM customers WHERE active = 0',
      'wrote: DELETE FROM customers WHERE active = 0',
      'done',
    ],
  },
  { name: 'cron-job', question: 'Restart?', yes: ['restarted payments', 'done'] },
]

const fileOf = (agent: string, { name, end }: Language) =>
  `${name === 'python' ? agent.replace('-', '_') : agent}${end}`

describe.each(LANGUAGES)('$name', (language) => {
  const { name, program, env } = language
  const skipped = program[0] === ''
  const start = (who: Person, agent: string) =>
    succeed([...program, fileOf(agent, language)], placeOf(name), { ...env, ...serverEnv(who) })
  let willing: Person
  let unwilling: Person
  beforeAll(async () => {
    ;[willing, unwilling] = await Promise.all([person(), person()])
  })
  afterAll(() => Promise.all([willing, unwilling].map((who) => who[Symbol.asyncDispose]())))

  test.skipIf(skipped).each(AGENTS)('a yes lets $name act', async (agent) => {
    const { question, changed, count = 1, yes } = agent
    // The cron job ends at once, and acts when it is started again.
    const isLater = agent.name === 'cron-job'
    if (isLater) expect(await start(willing, agent.name)).toEqual(['waiting'])
    const going = isLater ? undefined : start(willing, agent.name)
    if (count > 1) await willing.answer('yes', undefined, count)
    else await willing.say(question, 'yes', changed)
    const lines = await (going ?? start(willing, agent.name))
    expect(lines.sort()).toEqual(yes.sort())
  })

  test.skipIf(skipped).each(AGENTS)('a no does not let $name act', async ({ name, count, yes }) => {
    const going = start(unwilling, name)
    if (name === 'cron-job') await going
    await unwilling.answer('no', 'Not now.', count)
    const lines = await (name === 'cron-job' ? start(unwilling, name) : going)
    const acts = yes.filter((line) => !/^(done|read)/.test(line))
    expect(lines.filter((line) => acts.includes(line))).toEqual([])
    expect(lines.join('\n')).toContain('declined')
  })

  test.skipIf(skipped).each(AGENTS)('$name without asking acts at once', async (agent) => {
    const lines = await succeed(
      [...program, `before/${fileOf(agent.name, language)}`],
      placeOf(name),
      env,
    )
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('\n')).toMatch(/^(deployed|refunded|sent|wrote|restarted)/)
  })

  test('the README counts the lines of each agent', async () => {
    const readme = readFileSync(join(EXAMPLES, name, 'README.md'), 'utf8')
    const linesIn = (path: string) =>
      readFileSync(join(EXAMPLES, name, path), 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(\/\/|#|$)/.test(line)).length
    for (const agent of AGENTS) {
      const file = fileOf(agent.name, language)
      const row = `(${file}) | ${linesIn(`before/${file}`)} | ${linesIn(file)} |`
      expect(readme).toContain(row)
    }
  })
})

test.skipIf(!NODE)('npm install and npm start ask', async () => {
  expect([install.code, install.code && install.err]).toEqual([0, 0])
  await using who = await person()
  const env = serverEnv(who)
  const going = succeed(['npm', 'start', '--silent'], placeOf('javascript'), env)
  await who.say('Deploy?', 'yes')
  expect(await going).toEqual(['deployed 1.4.2', 'done'])
})

const CAN_INSTALL =
  PYTHON !== undefined && Bun.spawnSync([PYTHON, '-c', 'import pip, venv, ensurepip']).success

test.skipIf(!CAN_INSTALL)('pip install and python deploy_bot.py ask', async () => {
  const place = placeOf('python')
  for (const { file, bytes } of await pythonClient(LICENCE)) writeFileSync(join(place, file), bytes)
  await succeed([PYTHON ?? '', '-m', 'venv', '.venv'], place)
  const index = { PIP_NO_INDEX: '1', PIP_FIND_LINKS: place, PIP_DISABLE_PIP_VERSION_CHECK: '1' }
  await succeed(['.venv/bin/pip', 'install', '-q', '-r', 'requirements.txt'], place, index)
  await using who = await person()
  const going = succeed(['.venv/bin/python', 'deploy_bot.py'], place, serverEnv(who))
  await who.say('Deploy?', 'yes')
  expect(await going).toEqual(['deployed 1.4.2', 'done'])
})
