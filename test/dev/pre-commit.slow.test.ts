import { expect, test } from 'bun:test'
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../support/run-command.ts'
import { tempFolder } from '../support/temp-folder.ts'

const ROOT = join(import.meta.dir, '../..')
const UGLY = 'export const a = {b:1}\n'
const NEAT = 'export const a = { b: 1 }\n'

/** A repository that has opted into the hook of this one. */
async function repository(folder: string) {
  const git = async (...args: string[]) => {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
    const { code, out, err } = await runCommand(['git', ...who, ...args], { cwd: folder })
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${err}`)
    return out
  }
  await git('init', '-q')
  await git('config', 'core.hooksPath', join(ROOT, '.githooks'))
  const settings = new Bun.Glob('{biome.json,.gitignore,*.grit}').scanSync({ cwd: ROOT, dot: true })
  for (const file of settings) copyFileSync(join(ROOT, file), join(folder, file))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return git
}

test('a commit is formatted, and only what is committed whole', async () => {
  using folder = tempFolder()
  const git = await repository(folder.path)
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text)
  write('whole.ts', UGLY)
  write('with space.ts', UGLY)
  write('part.ts', UGLY)
  write('other.ts', UGLY)
  write('broken.ts', 'export const a = {')
  await git('add', 'whole.ts', 'with space.ts', 'part.ts', 'broken.ts')
  write('part.ts', `${UGLY}// not yet\n`)
  await git('commit', '-q', '-m', 'test: format')
  expect(await git('show', 'HEAD:whole.ts')).toBe(NEAT)
  expect(await git('show', 'HEAD:with space.ts')).toBe(NEAT)
  expect(await git('show', 'HEAD:part.ts')).toBe(UGLY)
  expect(readFileSync(join(folder.path, 'part.ts'), 'utf8')).toBe(`${UGLY}// not yet\n`)
  expect(readFileSync(join(folder.path, 'other.ts'), 'utf8')).toBe(UGLY)
})
