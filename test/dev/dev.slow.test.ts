import { expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { senderTo, signedIn } from '../support/kept-story.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'
import { SEEDS, SESSIONS } from './story.ts'

setDefaultTimeout(120_000)

const ROOT = join(import.meta.dir, '../..')

/** `bun run dev` in a copy of the sources, which a test may change. */
const PARTS = ['drizzle', 'examples', 'packages', 'src', 'test/dev', 'test/support', 'package.json']

function startDev(folder: string) {
  for (const part of PARTS) {
    cpSync(join(ROOT, part), join(folder, 'clone', part), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'clone/node_modules'))
  const port = freePort()
  const child = Bun.spawn([process.execPath, 'test/dev/main.ts', '--port', String(port)], {
    cwd: join(folder, 'clone'),
    env: {
      ...process.env,
      TMPDIR: folder,
      // As in the shell of somebody who runs a server of their own.
      BECKON_DATA: join(folder, 'real'),
      BECKON_DATABASE_URL: 'postgres://beckon@127.0.0.1:1/beckon',
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let out = ''
  void (async () => {
    for await (const chunk of child.stdout) out += new TextDecoder().decode(chunk)
  })()
  const token = () => /bk_\w+/.exec(out)?.[0] ?? ''
  return { child, url: `http://localhost:${port}`, out: () => out, token }
}

test('a newcomer gets a full server, which follows the sources and ends at the first Ctrl-C', async () => {
  using folder = tempFolder()
  const { child, url, out, token } = startDev(folder.path)
  try {
    await until(() => token() !== '' || child.exitCode !== null)
    expect(out()).toContain(`${url}/inbox`)
    const person = await signedIn(url)
    // Test traffic is not in anybody's inbox.
    const open = SEEDS.filter(({ ask, end }) => !end && ask.env !== 'test').length
    const inbox = async () => (await person('/inbox')) as { total: number; questions: Question[] }
    expect((await inbox()).total).toBe(open)
    const lists = await Promise.all(
      ['/activity', '/sessions', '/subscribers'].map((it) => person(it)),
    )
    const [activity, sessions, devices] = lists.map((list) => JSON.stringify(list))
    for (const { agentName } of SESSIONS) expect(sessions).toContain(agentName)
    expect(devices).toContain("Ada's phone")
    expect(activity).toContain('Deploy build 41?')
    const tools = (await senderTo(url, {})('/tools.json')) as { count: number }
    expect(tools.count).toBeGreaterThan(50)

    // The agent gets its answer.
    const [first] = (await inbox()).questions.filter(({ type }) => type === 'confirm')
    await person(`/questions/${first?.correlationId}/answer`, { value: 'yes' })
    await until(() => /^← .* → yes$/m.test(out()))

    // A mistake in a source file stops the server; its correction brings it back, with its data.
    const file = join(folder.path, 'clone/src/app.ts')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, `${text}\n}`)
    await until(async () => !(await fetch(url).catch(() => undefined)))
    writeFileSync(file, text)
    await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok ?? false)
    expect((await inbox()).total).toBe(open - 1)
  } finally {
    child.kill('SIGINT')
    await child.exited
  }
  expect(child.exitCode).toBe(0)
  expect(await fetch(url).catch(() => 'nobody')).toBe('nobody')
  expect(existsSync(join(folder.path, 'real'))).toBe(false)
  const rest = new Bun.Glob('beckon-test-*').scanSync({ cwd: folder.path, onlyFiles: false })
  expect([...rest]).toEqual([])
})

type Question = { correlationId: string; type: string }
