import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { claude, claudeEnv } from './claude.ts'
import { knownDocuments } from './client-documents.ts'
import { codex, codexConfig } from './codex.ts'
import { copilot, copilotEnv } from './copilot.ts'
import type { Driver } from './driver.ts'
import { gemini, geminiEnv, geminiSettings } from './gemini.ts'
import { INSTALLED } from './installed.ts'
import type { Model } from './models/model.ts'
import { OPENCODE_ENV, opencode, opencodeConfig } from './opencode.ts'
import { check, ended, opened, type Stage, short } from './stage.ts'
import { openTerminal, type Terminal } from './terminal.ts'
import { type PersonAtBrowser, personAtBrowser } from './the-browser.ts'
import { type ClientWorld, clientWorld } from './world.ts'

/** How a client signs in: its own settings, its own way to begin, and what it shows once it is allowed. */
type WayIn = {
  driver: Driver
  /** Its model and nothing of ours; `beckon setup --sign-in` adds the server. */
  prepare(world: ClientWorld, model: Model): void
  /** Begins; the client opens the browser and waits in the terminal. */
  begin(stage: Stage, env: Record<string, string>): Promise<Terminal>
  done: RegExp
}

const write = (world: ClientWorld, path: string, text: string) => {
  const file = join(world.home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** A command of the client that ends by itself; its terminal stays to be read. */
const command =
  (args: string, more: (model: Model) => Record<string, string> = () => ({})) =>
  ({ world, model, binary }: Stage, env: Record<string, string>) =>
    openTerminal(world, ['bash', '-c', `${binary} ${args}; echo "ended: $?"; read`], {
      ...more(model),
      ...env,
    })

const WAYS: WayIn[] = [
  {
    driver: claude,
    prepare(world) {
      const projects = { [world.project]: { hasTrustDialogAccepted: true } }
      const keys = { approved: ['KEY'], rejected: [] }
      const seen = { hasCompletedOnboarding: true, theme: 'dark', customApiKeyResponses: keys }
      write(world, '.claude.json', JSON.stringify({ ...seen, projects }))
    },
    begin: command('mcp login beckon', claudeEnv),
    done: /ended: 0/,
  },
  {
    driver: codex,
    prepare: (world, model) => write(world, '.codex/config.toml', codexConfig(model)),
    begin: command('mcp login beckon'),
    done: /ended: 0/,
  },
  {
    driver: opencode,
    prepare: (world, model) =>
      write(world, '.config/opencode/opencode.json', JSON.stringify(opencodeConfig(model))),
    begin: command('mcp auth beckon', () => OPENCODE_ENV),
    done: /ended: 0/,
  },
  {
    driver: copilot,
    prepare() {},
    // It opens the browser as soon as its terminal is there.
    async begin({ world, model, binary }, env) {
      const terminal = await openTerminal(world, [binary], { ...copilotEnv(model), ...env })
      await terminal.shows(/Do you trust the files/)
      await terminal.press('Enter')
      return terminal
    },
    done: /server connected/,
  },
  {
    driver: gemini,
    prepare: (world) => write(world, '.gemini/settings.json', JSON.stringify(geminiSettings)),
    async begin({ world, model, binary }, env) {
      const terminal = await openTerminal(world, [binary], { ...geminiEnv(model), ...env })
      await terminal.shows(/Type your message/)
      // It draws its prompt before it takes what is typed.
      await Bun.sleep(10_000)
      await terminal.type('/mcp auth beckon')
      await Bun.sleep(1_000)
      await terminal.press('Enter')
      await terminal.shows(/Do you want to continue/)
      await terminal.press('Enter')
      return terminal
    },
    done: /authenticat(ed|ion).*success|Successfully/i,
  },
]

const names = process.argv.slice(2)

let failed = 0
for (const way of WAYS.filter(({ driver }) => names.length === 0 || names.includes(driver.name))) {
  const { name, package: from } = way.driver
  const binary = join(INSTALLED, name, 'node_modules/.bin', name)
  if (!existsSync(binary)) {
    console.log(`${name}: SKIPPED, not installed (${from})`)
    continue
  }
  try {
    console.log(`${name}: ok\n${await signIn(way, binary)}`)
  } catch (error) {
    failed++
    console.log(`${name}: FAIL ${(error as Error).message}`)
  }
}
process.exit(failed === 0 ? 0 : 1)

/** From nothing to an answered question. Resolves to what was seen, a line each. */
async function signIn(way: WayIn, binary: string): Promise<string> {
  const { driver } = way
  await using world = await clientWorld()
  await knownDocuments(world)
  await using person = await personAtBrowser(world)
  using model = driver.startModel()
  const stage: Stage = { driver, world, model, binary }
  const version = (await world.run([binary, '--version'])).out.trim().split('\n')[0]
  way.prepare(world, model)
  const setUp = [world.beckon, 'setup', driver.name, '--sign-in', '--url', world.house.url, '--yes']
  const written = await world.run(setUp)
  check(written.code === 0, 'beckon setup --sign-in', written)
  const lines = await allow(way, stage, person)
  const heard = await ask(stage)
  return [`version ${version}`, ...lines, heard].map((line) => `  ${line}`).join('\n')
}

async function allow(way: WayIn, stage: Stage, person: PersonAtBrowser): Promise<string[]> {
  await using terminal = await way.begin(stage, person.env)
  const address = await person.opened().catch(async () => {
    throw new Error(`no browser was opened:\n${await terminal.screen()}`)
  })
  const query = new URL(address).searchParams
  const seen = await person.allow(address)
  await terminal.shows(way.done)
  const scope = query.get('scope')
  return [
    `client_id ${query.get('client_id')}, redirect_uri ${query.get('redirect_uri')}, scope ${scope}, prompt ${query.get('prompt')}`,
    `page: ${seen.consent.slice(0, 200)}`,
    `back at ${seen.end.replace(/code=[^&]+/, 'code=…')}: ${seen.text.replace(/\s+/g, ' ')}`,
  ]
}

/** A run of its own, later, with what it kept: a question that is answered. */
async function ask(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  const question = 'Deploy the shop?'
  model.plan([driver.ours('ask_user', { question, timeoutMs: 55_000 })])
  const running = driver.run(world, model, binary)
  const open = await Promise.race([opened(stage, question), running.then(ended)])
  await world.house.answer(open.correlationId, { value: 'yes', note: 'After lunch.' })
  const ran = await running
  const heard = model.seen.at(-1) ?? ''
  check(heard.includes('After lunch.'), 'the model did not hear the answer', {
    ran,
    heard: short(heard.slice(-4_000)),
  })
  return `asked as "${open.agentName}"; the model read the answer and its note`
}
