import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exports, version } from '../../../packages/js/package.json'
import { jsClient } from '../../../packages/release/clients.ts'
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

const LICENCE = 'The licence.'
const REPOSITORY = 'https://code.example.com/somebody/beckon'

/** What `npm pack` makes in a clone that has built nothing, and what a release publishes. */
const WAYS: Record<string, (place: string) => Promise<string>> = {
  async 'npm pack'(place) {
    const clone = join(place, 'clone')
    cpSync(join(ROOT, 'packages/js'), clone, {
      recursive: true,
      filter: (path) => !path.endsWith('/dist'),
    })
    // In a clone npm finds the tools of the folders above.
    const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`
    await succeed(['npm', 'pack', '--silent', '--pack-destination', place], clone, { PATH })
    const [archive = ''] = readdirSync(place).filter((name) => name.endsWith('.tgz'))
    return join(place, archive)
  },
  async 'bun run release'(place) {
    const { file, bytes } = await jsClient({ repository: REPOSITORY, licence: LICENCE })
    expect(file).toBe(`beckon-client-${version}.tgz`)
    writeFileSync(join(place, file), bytes)
    return join(place, file)
  },
}

test.each(Object.entries(WAYS))(
  'the package of %s, installed into an empty project, loads without any framework, and runs the example of its README in Node.js',
  async (way, archiveIn) => {
    const place = join(folder.path, way.replaceAll(' ', '-'))
    const project = join(place, 'project')
    mkdirSync(project, { recursive: true })
    const archive = await archiveIn(place)
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    await succeed(['npm', 'install', '--silent', '--offline', archive], project)
    const installed = join(project, 'node_modules/beckon-client')
    const [, example = ''] =
      /```js\n(.*?)```/s.exec(readFileSync(join(installed, 'README.md'), 'utf8')) ?? []
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
  },
)

test('the package of a release has the files of npm, a licence, and the repository of its provenance', async () => {
  const { bytes } = await jsClient({ repository: REPOSITORY, licence: LICENCE })
  const files = await new Bun.Archive(bytes).files()
  const packed = folder.path
  const archive = await WAYS['npm pack']?.(packed)
  const ours = await new Bun.Archive(await Bun.file(archive ?? '').bytes()).files()
  expect([...files.keys()].sort()).toEqual([...ours.keys(), 'package/LICENSE'].sort())
  const about = async (from: typeof files) =>
    JSON.parse((await from.get('package/package.json')?.text()) ?? '')
  const { scripts: _, ...content } = await about(ours)
  expect(await about(files)).toEqual({
    ...content,
    repository: { type: 'git', url: `git+${REPOSITORY}.git` },
  })
})

test('all of it is small', async () => {
  const src = join(ROOT, 'packages/js/src')
  const entrypoints = ['client', 'protect', 'callback'].map((name) => join(src, `${name}.ts`))
  const { outputs } = await Bun.build({ entrypoints, minify: true, splitting: true })
  const texts = await Promise.all(outputs.map((output) => output.text()))
  expect(Bun.gzipSync(texts.join('\n')).length).toBeLessThanOrEqual(SIZE_MAX)
})
