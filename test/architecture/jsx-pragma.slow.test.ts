import { expect, test } from 'bun:test'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../support/run-command.ts'
import { tempFolder } from '../support/temp-folder.ts'

const ROOT = join(import.meta.dir, '../..')

// Started in another folder, Bun reads no tsconfig.json, and would look for React.
test('a page that does not name preact in its first line does not pass the check', async () => {
  using folder = tempFolder()
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text)
  const page = 'export function Page() {\n  return <p>hello</p>\n}\n'
  const config = { extends: join(ROOT, 'tsconfig.json'), include: ['*.tsx'] }
  const options = { incremental: false, tsBuildInfoFile: null, types: [] }
  write('tsconfig.json', JSON.stringify({ ...config, compilerOptions: options }))
  symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'))
  const check = () =>
    runCommand([process.execPath, join(ROOT, 'node_modules/.bin/tsc'), '--noEmit'], {
      cwd: folder.path,
    })

  write('page.tsx', `/** @jsxImportSource preact */\n${page}`)
  expect(await check()).toMatchObject({ code: 0, out: '' })
  write('page.tsx', page)
  expect((await check()).out).toContain('page.tsx(2,10): error TS2875')
})
