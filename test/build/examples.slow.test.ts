import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { executable, inFolder, type Process } from '../support/executable.ts'
import { pushServer } from '../support/push-server.ts'
import { PYTHON } from '../support/python.ts'
import { signInAt } from '../support/sign-in.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

// Without BINARY or TEST_PROGRAM the executable is built first.
setDefaultTimeout(120_000)

const PACKAGES = join(import.meta.dir, '../../packages')
const PERSON = { email: 'ada@example.com', password: 'correct horse battery staple' }

const folder = tempFolder()
let server: Process
let push: Awaited<ReturnType<typeof pushServer>>
let url = ''
let token = ''
let cookie = ''
beforeAll(async () => {
  const beckon = inFolder(await executable(folder.path), folder.path)
  const add = ['user', 'add', '--email', PERSON.email, '--password-stdin']
  expect(await beckon.run(add, { stdin: PERSON.password })).toMatchObject({ code: 0 })
  token = (await beckon.run(['key', 'create', '--name', 'agent'])).out.trim()
  const env = { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
  server = await beckon.serve(['--port', '0'], { env })
  url = /http:\/\/[\w.]+:\d+/.exec(server.said())?.[0] ?? ''
  cookie = await signInAt(url, PERSON)
  push = await pushServer()
  const phone = { transport: 'webpush', kind: 'phone', label: 'Phone', ...push.subscribe('phone') }
  await person('/subscribers', phone)
  await installPackage(join(folder.path, 'node_modules/beckon-client'))
})
afterAll(async () => {
  await push?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** What npm would install, bundled instead of compiled by tsc, which takes longer than all the rest. */
async function installPackage(place: string): Promise<void> {
  cpSync(join(PACKAGES, 'js/package.json'), join(place, 'package.json'))
  const entrypoints = [join(PACKAGES, 'js/src/client.ts')]
  const { success } = await Bun.build({ entrypoints, outdir: join(place, 'dist'), target: 'node' })
  expect(success).toBe(true)
}

/** The first example of a README, to the letter. */
async function exampleOf(language: 'js' | 'python'): Promise<string> {
  const readme = await Bun.file(join(PACKAGES, language, 'README.md')).text()
  const [, example = ''] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readme) ?? []
  const lines = example.split('\n').filter((line) => line.trim() !== '')
  expect(lines.length).toBeGreaterThanOrEqual(3)
  return example
}

/** Runs an example until it ends, and answers what it asks meanwhile. */
async function ran(command: string[], value: 'yes' | 'no', token_ = token) {
  const child = Bun.spawn(command, {
    cwd: folder.path,
    env: {
      PATH: process.env.PATH,
      HOME: folder.path,
      PYTHONPATH: join(PACKAGES, 'python/src'),
      BECKON_URL: url,
      BECKON_TOKEN: token_,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const output = Promise.all([child.stdout, child.stderr].map((one) => new Response(one).text()))
  if (token_ === token) await answer(value)
  const [out, err] = await output
  return { code: await child.exited, out, err }
}

/** Calls the REST API as the person. */
async function person(path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}/api/v1${path}`, {
    headers: { cookie, origin: url, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return await response.json()
}

async function answer(value: string): Promise<void> {
  let id: string | undefined
  await until(async () => {
    const { questions } = (await person('/inbox')) as { questions: Record<string, string>[] }
    id = questions.find(({ question }) => question === 'Deploy to production?')?.correlationId
    return id !== undefined
  })
  await person(`/questions/${id}/answer`, { value })
}

const LANGUAGES = [
  ['js', [Bun.which('node') ?? process.execPath], 'example.mjs'],
  ['python', [PYTHON ?? ''], 'example.py'],
] as const

for (const [language, start, file] of LANGUAGES) {
  test.skipIf(start[0] === '')(
    `the example of ${language} runs against the executable`,
    async () => {
      const path = join(folder.path, file)
      await Bun.write(path, await exampleOf(language))
      const command = [...start, path]
      expect(await ran(command, 'yes')).toEqual({ code: 0, out: 'deploying\n', err: '' })
      expect(await ran(command, 'no')).toEqual({ code: 0, out: '', err: '' })
      const wrong = await ran(command, 'yes', 'bk_wrong')
      expect([wrong.code, wrong.out]).toEqual([1, ''])
      expect(wrong.err).toContain('BeckonError')
    },
  )
}
