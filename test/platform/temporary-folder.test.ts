import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sweepFolders, temporaryFolder } from '../../src/platform/temporary-folder.ts'

const MODULE = join(import.meta.dir, '../../src/platform/temporary-folder.ts')
const HOLD = `
  const { temporaryFolder } = await import(process.argv[1])
  console.log(temporaryFolder(process.argv[2], 'check-').path)
  setInterval(() => {}, 1000)
`

test('a folder of a killed process is swept at once, one in use stays', async () => {
  using parent = scratch()
  const child = Bun.spawn([process.execPath, '-e', HOLD, MODULE, parent.path], { stdout: 'pipe' })
  const { value } = await child.stdout.getReader().read()
  const left = new TextDecoder().decode(value).trim()

  sweepFolders(parent.path, 'check-')
  expect(existsSync(left)).toBe(true)

  child.kill('SIGKILL')
  await child.exited
  using own = temporaryFolder(parent.path, 'check-')
  expect(existsSync(left)).toBe(false)
  expect(existsSync(own.path)).toBe(true)
})

test('a folder without a lock stays until it is old', () => {
  using parent = scratch()
  const path = join(parent.path, 'check-abc')
  mkdirSync(path)
  sweepFolders(parent.path, 'check-')
  expect(existsSync(path)).toBe(true)

  const before = new Date(Date.now() - 2 * 60 * 60_000)
  utimesSync(path, before, before)
  sweepFolders(parent.path, 'check-')
  expect(existsSync(path)).toBe(false)
})

test('a folder that does not exist has nothing to sweep', () => {
  expect(() => sweepFolders('/does/not/exist', 'check-')).not.toThrow()
})

function scratch(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'beckon-test-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
