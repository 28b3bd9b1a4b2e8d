import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob } from 'bun'
import { parse } from 'smol-toml'
import { below, type Entry, file, gzip, tar, zip } from './archive.ts'
import { type NpmPackage, packed, sourceOf } from './npm-packages.ts'
import { run } from './run.ts'

const ROOT = join(import.meta.dir, '../..')
const JS = join(ROOT, 'packages/js')
const PYTHON = join(ROOT, 'packages/python')

/** A package of Python, and the name of its file. */
type PythonPackage = { file: string; bytes: Uint8Array }

/** The sources' web address may be empty. */
type Facts = { repository: string; licence: string }

/** The npm package `beckon-client`, with its built code; its version is its own. */
export async function jsClient({ repository, licence }: Facts): Promise<NpmPackage> {
  const about = await Bun.file(join(JS, 'package.json')).json()
  // They build it in a clone, and would build it again where somebody installs it from there.
  const { scripts: _, ...content } = about
  const texts = await filesIn(JS, ['README.md', 'CHANGELOG.md'])
  const files = [...(await buildCode()), ...texts, file('LICENSE', licence)]
  return packed(content.name, { ...content, ...sourceOf(repository) }, files)
}

/** Runs `tsc` over the package, and returns the files below `dist`. */
async function buildCode(): Promise<Entry[]> {
  const work = mkdtempSync(join(tmpdir(), 'beckon-client-'))
  try {
    await run([join(ROOT, 'node_modules/.bin/tsc'), '-p', JS, '--outDir', work], ROOT)
    return below('dist', await filesIn(work, namesIn(work, '**')))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

type PyProject = {
  name: string
  version: string
  description: string
  'requires-python': string
  license: { text: string }
  classifiers: string[]
}

/** The wheel and the source distribution of `beckon-client` for Python; its version is its own. */
export async function pythonClient({ repository, licence }: Facts): Promise<PythonPackage[]> {
  const toml = await Bun.file(join(PYTHON, 'pyproject.toml')).text()
  const project = parse(toml).project as PyProject
  const name = `${project.name.replaceAll('-', '_')}-${project.version}`
  const metadata = metadataOf(project, repository, await Bun.file(join(PYTHON, 'README.md')).text())
  const src = join(PYTHON, 'src')
  const code = await filesIn(src, namesIn(src, '**/{*.py,py.typed}'))
  const texts = await filesIn(PYTHON, ['README.md', 'CHANGELOG.md', 'pyproject.toml'])
  const source = [
    file('PKG-INFO', metadata),
    file('LICENSE', licence),
    ...texts,
    ...below('src', code),
  ]
  const about = below(`${name}.dist-info`, [
    file('LICENSE', licence),
    file('METADATA', metadata),
    file('WHEEL', WHEEL),
  ])
  const content = [...code, ...about]
  const record = file(`${name}.dist-info/RECORD`, recordOf(content, `${name}.dist-info/RECORD`))
  return [
    { file: `${name}-py3-none-any.whl`, bytes: zip([...content, record]) },
    { file: `${name}.tar.gz`, bytes: gzip(tar(below(name, source))) },
  ]
}

// https://packaging.python.org/en/latest/specifications/binary-distribution-format
const WHEEL = `Wheel-Version: 1.0
Generator: beckon-release
Root-Is-Purelib: true
Tag: py3-none-any
`

/** https://packaging.python.org/en/latest/specifications/core-metadata */
function metadataOf(project: PyProject, repository: string, readme: string): string {
  const lines = [
    'Metadata-Version: 2.1',
    `Name: ${project.name}`,
    `Version: ${project.version}`,
    `Summary: ${project.description}`,
    ...(repository ? [`Project-URL: Source, ${repository}`] : []),
    `License: ${project.license.text}`,
    ...project.classifiers.map((one) => `Classifier: ${one}`),
    `Requires-Python: ${project['requires-python']}`,
    'Description-Content-Type: text/markdown',
  ]
  return `${lines.join('\n')}\n\n${readme}`
}

/** The list of files with their checksums, and itself without one. */
function recordOf(files: readonly Entry[], own: string): string {
  const rows = files.map(({ path, bytes }) => {
    const sum = createHash('sha256').update(bytes).digest('base64url')
    return `${path},sha256=${sum},${bytes.length}`
  })
  return `${[...rows, `${own},,`].join('\n')}\n`
}

function namesIn(folder: string, pattern: string): string[] {
  return [...new Glob(pattern).scanSync({ cwd: folder })].sort()
}

async function filesIn(folder: string, names: readonly string[]): Promise<Entry[]> {
  return await Promise.all(
    names.map(async (name) => file(name, await Bun.file(join(folder, name)).bytes())),
  )
}
