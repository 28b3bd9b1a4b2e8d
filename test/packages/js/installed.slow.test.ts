import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exports } from '../../../packages/js/package.json'
import { restWorld } from '../../ask/http/rest-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

// npm and tsc are processes of their own, on a busy machine.
setDefaultTimeout(120_000)

const ROOT = join(import.meta.dir, '../../..')
// Compressed, with all that its three entries without a framework load; the promise of docs/packages.md.
const SIZE_MAX = 8 * 1024
const folder = tempFolder()
afterAll(() => folder[Symbol.dispose]())

async function succeed(command: string[], cwd: string, env: object = {}): Promise<string> {
  const child = Bun.spawn(command, {
    cwd,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all(
    [child.stdout, child.stderr].map((one) => new Response(one).text()),
  )
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${out}${err}`)
  return out ?? ''
}

test('the package, installed into an empty project, loads without any framework, and runs the example of its README in Node.js', async () => {
  const built = join(folder.path, 'built')
  cpSync(join(ROOT, 'packages/js'), built, { recursive: true })
  await succeed([join(ROOT, 'node_modules/.bin/tsc'), '-p', built], ROOT)
  await succeed(['npm', 'pack', '--silent', '--pack-destination', folder.path], built)
  const [archive = ''] = readdirSync(folder.path).filter((name) => name.endsWith('.tgz'))
  const project = join(folder.path, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  await succeed(['npm', 'install', '--silent', '--offline', join(folder.path, archive)], project)
  const [, example = ''] =
    /```js\n(.*?)```/s.exec(await Bun.file(join(built, 'README.md')).text()) ?? []
  writeFileSync(join(project, 'example.js'), example)
  const names = Object.keys(exports).map((path) => `beckon-client${path.slice(1)}`)
  const imports = names.map((name) => `await import('${name}')`).join('\n')
  await succeed(['node', '--input-type=module', '--eval', imports], project)

  await using world = await restWorld()
  const token = (world.headersOf('agent').authorization ?? '').replace('Bearer ', '')
  const ran = succeed(['node', 'example.js'], project, {
    BECKON_URL: world.url,
    BECKON_TOKEN: token,
  })
  await until(async () => {
    const { body } = await world.call({ as: 'member', path: '/api/v1/inbox' })
    const [open] = (body as { questions: Array<{ correlationId: string }> }).questions
    if (!open) return false
    const path = `/api/v1/questions/${open.correlationId}/answer`
    await world.call({ as: 'member', method: 'POST', path, body: { value: 'yes' } })
    return true
  })
  expect(await ran).toBe('deploying\n')
})

test('all of it is small', async () => {
  const src = join(ROOT, 'packages/js/src')
  const entrypoints = ['client', 'protect', 'callback'].map((name) => join(src, `${name}.ts`))
  const { outputs } = await Bun.build({ entrypoints, minify: true, splitting: true })
  const texts = await Promise.all(outputs.map((output) => output.text()))
  expect(Bun.gzipSync(texts.join('\n')).length).toBeLessThanOrEqual(SIZE_MAX)
})
