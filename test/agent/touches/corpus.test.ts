import { describe, expect, test } from 'bun:test'
import { normalise } from '../../../src/agent/paths/path-text.ts'
import { readTouches } from '../../../src/agent/touches/touches.ts'

// One command a line; paths are relative to its folder, `cwd` is /w unless said.
// `disk`: the files that patterns find there; `names`: what must be named. `open`: it may touch more
// than that; `unnamed`: it changes files of the project that it does not name.
type Line = {
  command: string
  cwd?: string
  disk?: string[]
  touches: string[]
  names?: string[]
  open: boolean
  unnamed?: true
}

const FOLDERS = new Set(['/w', '/w/src', '/w/src/deep', '/w/sub', '/w/dir', '/w/infra', '/tmp'])
const FILES = new Set(['/w/a', '/w/b', '/w/f.txt', '/w/src/a.ts', '/w/x.diff'])
const text = await Bun.file(`${import.meta.dir}/corpus.jsonl`).text()
const corpus: Line[] = text
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

function look(path: string) {
  const plain = normalise(path)
  return FOLDERS.has(plain) ? 'folder' : FILES.has(plain) ? 'file' : undefined
}

describe('every command of the corpus is read as it says', () => {
  for (const { command, cwd = '/w', disk = [], touches, names = [], open, unnamed } of corpus) {
    test(JSON.stringify(command), () => {
      const files = disk.map((path) => normalise(`/w/${path}`))
      const isThere = (path: string) =>
        look(path) ?? (files.some((file) => isIn(normalise(path), file)) ? 'file' : undefined)
      const list = (folder: string) => namesIn(normalise(folder), files)
      const read = readTouches(command, { cwd, look: isThere, list })
      expect(read.names.map(tidy)).toEqual(
        expect.arrayContaining(names.map((name) => normalise(`/w/${name}`))),
      )
      const lines = read.touches.map(({ touch, path }) => `${touch} ${tidy(path)}`)
      const expected = touches.map((touch) => {
        const [, kind = '', path = ''] = /^(\w+) (.*)$/s.exec(touch) ?? []
        return `${kind} ${tidy(/^[/~]/.test(path) ? path : `/w/${path}`)}`
      })
      const is = { open: read.open !== undefined, unnamed: read.unnamed !== undefined }
      expect({ touches: [...new Set(lines)].sort(), ...is }).toEqual({
        touches: expected.sort(),
        open,
        unnamed: unnamed === true,
      })
    })
  }
})

test('the corpus is as large as it should be', () => {
  expect(corpus.length).toBeGreaterThan(200)
})

function tidy(path: string): string {
  return path.startsWith('/') ? normalise(path) : path
}

function isIn(path: string, file: string): boolean {
  return file === path || file.startsWith(`${path}/`)
}

function namesIn(folder: string, files: string[]): string[] {
  const below = files.filter((file) => file.startsWith(`${folder}/`))
  return [...new Set(below.map((file) => file.slice(folder.length + 1).split('/')[0] ?? ''))]
}
