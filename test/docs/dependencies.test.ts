import { expect, test } from 'bun:test'
import { join } from 'node:path'
import packageJson from '../../package.json'

const ROOT = join(import.meta.dir, '../..')
const page = await Bun.file(join(ROOT, 'docs/dependencies.md')).text()

/** Rows of the tables: the package and the licence in its last column. */
function rowsUnder(title: string) {
  const section = page.split(/^## /m).find((part) => part.startsWith(title)) ?? ''
  return [...section.matchAll(/^\| `([^`]+)` \|.*\| ([^|]+) \|$/gm)].map(([, name, licence]) => ({
    name: String(name),
    licence: String(licence).trim(),
  }))
}

const names = (rows: Array<{ name: string }>) => rows.map((row) => row.name)

test('docs/dependencies.md lists exactly the dependencies of package.json', () => {
  expect(names(rowsUnder('What runs'))).toEqual(Object.keys(packageJson.dependencies))
  expect(names(rowsUnder('What builds'))).toEqual(Object.keys(packageJson.devDependencies))
})

test('each licence is the one the package states', async () => {
  for (const { name, licence } of [...rowsUnder('What runs'), ...rowsUnder('What builds')]) {
    const own = await Bun.file(join(ROOT, 'node_modules', name, 'package.json')).json()
    expect([name, licence]).toEqual([name, own.license])
  }
})

test('versions are exact', () => {
  const all = { ...packageJson.dependencies, ...packageJson.devDependencies }
  for (const [name, version] of Object.entries(all)) {
    expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/)])
  }
})

test('every place that names a version of Bun names the same one', async () => {
  const wanted = packageJson.devDependencies['bun-types']
  const places = ['.ci/run', '.github/workflows/release.yml', 'Dockerfile', 'README.md']
  for (const place of places) {
    const text = await Bun.file(join(ROOT, place)).text()
    const versions = [...text.matchAll(/\bbun[@:](\d+\.\d+\.\d+)/g)].map((match) => match[1])
    expect([place, ...new Set(versions)]).toEqual([place, wanted])
  }
})

test('the Dockerfile installs and builds as the scripts do', async () => {
  const text = await Bun.file(join(ROOT, 'Dockerfile')).text()
  const { build, start } = packageJson.scripts
  const command = build.split(' && ')[1] ?? ''
  expect(text).toContain(command.replace('dist/beckon', '/out/beckon'))
  const install = start.split(' && ')[0] ?? ''
  expect(text).toContain(install.replace(' --silent', ''))
})
