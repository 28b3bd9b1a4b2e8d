import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { jsClient, pythonClient } from '../../../packages/release/clients.ts'
import { mainPackage } from '../../../packages/release/npm-packages.ts'
import { npmRegistry } from '../../support/npm-registry.ts'
import { runCommand } from '../../support/run-command.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// npm takes a second for each package.
setDefaultTimeout(120_000)

const ROOT = join(import.meta.dir, '../../..')
const VERSION = '1.2.3'
const HAS_TOOLS = ['bash', 'node', 'npm', 'tar'].every((name) => Bun.which(name))

type Step = {
  name?: string
  run?: string
  uses?: string
  with?: Record<string, unknown>
  env?: Record<string, unknown>
}

async function workflow() {
  return parse(await Bun.file(join(ROOT, '.github/workflows/release.yml')).text())
}

async function steps(): Promise<Step[]> {
  return (await workflow()).jobs.release.steps
}

test.skipIf(!HAS_TOOLS)('a version that npm has is not published again', async () => {
  using work = tempFolder()
  const at = (path: string) => join(work.path, path)
  using npm = await npmRegistry()
  mkdirSync(at('dist/release/npm'), { recursive: true })
  writeFileSync(at('.npmrc'), `registry=${npm.url}\n//${new URL(npm.url).host}/:_authToken=any\n`)
  const add = ({ file, bytes }: { file: string; bytes: Uint8Array }) =>
    writeFileSync(at(`dist/release/npm/${file}`), bytes)
  add(await jsClient({ repository: '', licence: '' }))
  const publish =
    (await steps()).find(({ name }) => name === 'publish npm packages')?.run ?? 'false'
  const published: string[][] = []
  // The next version of Beckon comes with the same client.
  for (const version of [VERSION, VERSION, '1.2.4']) {
    add(await mainPackage([], { version, repository: '', licences: [] }))
    const before = npm.puts().length
    const env = { PATH: process.env.PATH ?? '', HOME: work.path, TAG: `v${version}` }
    const ran = await runCommand(['bash', '-eo', 'pipefail', '-c', publish], {
      cwd: work.path,
      env,
    })
    expect([ran.code, ran.code && ran.err]).toEqual([0, 0])
    published.push(npm.puts().slice(before))
  }
  expect(published).toEqual([['beckon-client', '@beckon/beckon'], [], ['@beckon/beckon']])
})

test('both registries get a proof of the workflow that built a package', async () => {
  // npm and PyPI sign with the identity that this gives.
  expect((await workflow()).permissions).toMatchObject({ 'id-token': 'write' })
  const npm = (await steps()).find(({ name }) => name === 'publish npm packages')
  expect(npm?.env).toMatchObject({ NPM_CONFIG_PROVENANCE: true })
  const pypi = (await steps()).find(({ uses }) => uses?.startsWith('pypa/gh-action-pypi-publish@'))
  expect(pypi?.with).toMatchObject({ attestations: true })
})

test.skipIf(!HAS_TOOLS)('npm would publish the JavaScript package as it is', async () => {
  using work = tempFolder()
  using npm = await npmRegistry()
  writeFileSync(join(work.path, '.npmrc'), `registry=${npm.url}\n`)
  const repository = 'https://code.example.com/somebody/beckon'
  const { file, bytes } = await jsClient({ repository, licence: 'The licence.' })
  writeFileSync(join(work.path, file), bytes)
  const command = ['npm', 'publish', `./${file}`, '--dry-run', '--json', '--access', 'public']
  const env = { PATH: process.env.PATH ?? '', HOME: work.path }
  const { code, out, err } = await runCommand(command, { cwd: work.path, env })
  expect([code, code && err]).toEqual([0, 0])
  // npm mends a package.json that is wrong, and says so.
  expect(err).not.toContain('corrected')
  // npm 10 prints the package, npm 11 an object with it.
  const printed = JSON.parse(out)
  const dry: { name: string; files: Array<{ path: string }> } = printed['beckon-client'] ?? printed
  expect(dry.name).toBe('beckon-client')
  const paths = dry.files.map(({ path }) => path)
  for (const path of ['README.md', 'CHANGELOG.md', 'LICENSE', 'dist/client.js', 'dist/client.d.ts'])
    expect(paths).toContain(path)
  expect(npm.puts()).toEqual([])
})

test('the Python package is published from the folder that a release puts it in', async () => {
  const step = (await steps()).find(({ uses }) => uses?.startsWith('pypa/gh-action-pypi-publish@'))
  expect(step?.with).toMatchObject({ 'packages-dir': 'dist/release/python', 'skip-existing': true })
  const names = (await pythonClient({ repository: '', licence: '' })).map(({ file }) => file)
  expect(names.map((name) => name.replace(/^.*?(\.whl|\.tar\.gz)$/, '$1'))).toEqual([
    '.whl',
    '.tar.gz',
  ])
  expect(readdirSync(join(ROOT, 'packages/python'))).not.toContain('dist')
})
