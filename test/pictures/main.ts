import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { freePort } from '../support/free-port.ts'
import { EMAIL, PASSWORD, type Send, signedIn } from '../support/kept-story.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { drawIcons } from './draw-icons.ts'
import { drawLetters } from './draw-letters.ts'
import { recordTerminal } from './record-terminal.ts'
import { terminalSvg } from './terminal-svg.ts'

/**
 * `bun run pictures`: the icons of the app, and the pictures of the README from the running product
 * with the content of `bun run dev`. Needs Chromium and tmux.
 */
const ROOT = join(import.meta.dir, '../..')
const OUT = join(ROOT, 'docs/pictures')
const BYTES_MAX = 150 * 1024
const TERMINAL = { columns: 96, rows: 11 }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true }
const DESK = { viewport: { width: 1280, height: 800 } }
const DOUBT = 'Deploy 2.4.1 to production?'

mkdirSync(OUT, { recursive: true })
const port = String(freePort())
const url = `http://localhost:${port}`
const server = Bun.spawn([process.execPath, 'test/dev/main.ts', '--port', port], {
  cwd: ROOT,
  stdout: 'pipe',
  stderr: 'inherit',
})
try {
  const token = await tokenOf(server.stdout)
  const person = await signedIn(url)
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    await drawIcons(browser)
    await drawLetters(browser)
    const change = await changeId(person)
    await photograph(browser, PHONE, `/d/${change}`, 'question-phone.png')
    await photograph(browser, DESK, '/inbox', 'inbox.png', 'Change this file?')
    await photograph(browser, DESK, '/tools/claude-sonnet-5', 'tool.png')
  } finally {
    await browser.close()
  }
  await keep('ask.svg', new TextEncoder().encode(await recording(token, person)))
} finally {
  server.kill('SIGINT')
  await server.exited
}
process.exit()

/** The token that the server prints once everything is in it. */
async function tokenOf(out: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  const reader = out.getReader()
  for (;;) {
    const { value, done } = await reader.read()
    text += decoder.decode(value, { stream: true })
    const token = /Token +(bk_\w+)/.exec(text)?.[1]
    if (token) {
      // Nobody reads the rest, and a full pipe would stop the server.
      void drain(reader)
      return token
    }
    if (done) throw new Error(`The server ended: ${text}`)
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

/** The id of a question about a change. */
async function changeId(person: Send): Promise<string> {
  const { questions } = (await person('/inbox')) as {
    questions: Array<{ correlationId: string; question: string }>
  }
  const change = questions.find(({ question }) => question === 'Change this file?') ?? questions[0]
  return change?.correlationId ?? ''
}

async function photograph(
  browser: Browser,
  size: Parameters<Browser['newContext']>[0],
  path: string,
  file: string,
  opened?: string,
): Promise<void> {
  await using context = await browser.newContext({ ...size, colorScheme: 'light' })
  const page = await context.newPage()
  await page.goto(`${url}/sign-in`)
  await page.fill('input[type=email]', EMAIL)
  await page.fill('input[type=password]', PASSWORD)
  await page.press('input[type=password]', 'Enter')
  await page.waitForURL((at) => !at.pathname.startsWith('/sign-in'))
  await page.goto(url + path)
  await page.waitForLoadState('load')
  if (opened !== undefined) {
    await page.getByText(opened).filter({ visible: true }).first().click()
  }
  await page.waitForTimeout(1_000)
  await keep(file, await page.screenshot({ animations: 'disabled' }))
}

async function recording(token: string, person: Send): Promise<string> {
  using folder = tempFolder()
  const program = join(folder.path, 'beckon')
  const main = join(ROOT, 'src/main.ts')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
  chmodSync(program, 0o755)
  writeFileSync(join(folder.path, 'deploy'), '#!/bin/sh\necho "Deployed."\n')
  chmodSync(join(folder.path, 'deploy'), 0o755)
  const env = {
    PATH: `${folder.path}:/usr/bin:/bin`,
    HOME: folder.path,
    PS1: '$ ',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    BECKON_URL: url,
    BECKON_TOKEN: token,
  }
  const frames = await recordTerminal(TERMINAL, env, async (shell) => {
    await shell.type(`beckon ask "${DOUBT}" --timeout 2m && deploy`)
    await shell.shows('Rang')
    await Bun.sleep(4_000)
    await answer(person)
    await shell.shows('Deployed.')
    await Bun.sleep(1_000)
  })
  const ownPort = new RegExp(`localhost:${port}`, 'g')
  const localFrames = frames.map(({ at, rows }) => ({
    at,
    rows: rows.map((row) => row.replace(ownPort, 'localhost:8484')),
  }))
  return terminalSvg(
    localFrames,
    TERMINAL.columns,
    `A terminal: ${DOUBT} is asked, and answered on a phone.`,
  )
}

async function answer(person: Send): Promise<void> {
  const { questions } = (await person('/inbox')) as {
    questions: Array<{ correlationId: string; question: string }>
  }
  const id = questions.find(({ question }) => question === DOUBT)?.correlationId
  if (id === undefined) throw new Error('The question of the recording is not in the inbox.')
  await person(`/questions/${id}/answer`, { value: 'yes', note: 'After the backup.' })
}

async function keep(file: string, bytes: Uint8Array): Promise<void> {
  if (bytes.length > BYTES_MAX) {
    throw new Error(`${file} has ${bytes.length} bytes, and may have ${BYTES_MAX}.`)
  }
  await Bun.write(join(OUT, file), bytes)
  console.log(`docs/pictures/${file}: ${Math.ceil(bytes.length / 1024)} KiB`)
}
