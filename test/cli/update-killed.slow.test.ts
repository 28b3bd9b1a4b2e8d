import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, linkSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../../src/platform/program.ts'
import { CAN_TRACE, type Call, callsOf, killAt, NAMES, WRITES } from '../support/kill-at-call.ts'
import { unfinishedIn } from '../support/killed-folder.ts'
import { releaseKey } from '../support/release-key.ts'
import { releasedProgram, releaseServer } from '../support/release-server.ts'
import { runCommand } from '../support/run-command.ts'
import { serverProcess } from '../support/server-process.ts'
import { everyNth, isWide } from '../support/share.ts'
import { tempFolder } from '../support/temp-folder.ts'

const NEXT = '99.0.0'
const LONG_AGO = new Date(0)
// Before anything is replaced, the release is fetched, tried, and the data are backed up.
const BEFORE_APART = isWide ? 4 : 36
const REPLACING_APART = isWide ? 1 : 3
const WRITES_APART = isWide ? 40 : 480

const key = releaseKey()
const folder = tempFolder()
const at = (path: string) => join(folder.path, path)
const server = await releaseServer(key.secret)

beforeAll(async () => {
  if (!CAN_TRACE) return
  const about = { publicKey: key.publicKey, url: server.url }
  await releasedProgram(at('released'), about)
  await releasedProgram(at('next'), { ...about, version: NEXT })
  await run(at('released'), 'key', 'create', '--name', 'kept')
  cpSync(at('data'), at('saved'), { recursive: true })
  await server.offer({ version: NEXT, program: await Bun.file(at('next')).bytes() })
}, 120_000)
afterAll(async () => {
  folder[Symbol.dispose]()
  await server[Symbol.asyncDispose]()
})

const env = { HOME: folder.path, PATH: '/usr/bin:/bin', BECKON_DATA: at('data') }

async function run(program: string, ...args: string[]) {
  return await runCommand([program, ...args], { cwd: folder.path, env })
}

const program = at('bin/beckon')
const update = [program, 'update', '--yes']

/** The old program, with data that have one token. */
function install() {
  for (const name of ['bin', 'data']) rmSync(at(name), { recursive: true, force: true })
  mkdirSync(at('bin'))
  linkSync(at('released'), program)
  cpSync(at('saved'), at('data'), { recursive: true })
}

/** The version that has the program's name after a kill; it must open the data. */
async function versionAfter({ text }: Call): Promise<string> {
  const { code, out } = await run(program, '--version')
  expect([text, code]).toEqual([text, 0])
  const listed = await run(program, 'key', 'list')
  expect([text, listed.code, listed.out]).toEqual([text, 0, expect.stringContaining('kept')])
  return out.trim().replace('beckon ', '')
}

test.skipIf(!CAN_TRACE)(
  'an update that is killed at any call leaves one whole program and its data, and can be repeated',
  async () => {
    install()
    const where = { cwd: folder.path, env }
    const names = await callsOf(update, NAMES, where)
    install()
    const writes = await callsOf(update, WRITES, where)
    const replacing = names.findIndex(({ text }) => text.includes('.previous'))
    expect(names.length - replacing).toBeGreaterThan(5)

    const after: Record<string, string> = {}
    for (const call of [
      ...everyNth(names.slice(0, replacing), BEFORE_APART),
      ...everyNth(names.slice(replacing), REPLACING_APART),
      ...everyNth(writes, WRITES_APART),
    ]) {
      install()
      await killAt(call, update, where)
      after[call.text] = await versionAfter(call)
      const again = await run(program, 'update', '--yes')
      expect([call.text, again.code, again.code && again.err]).toEqual([call.text, 0, 0])
      expect([call.text, await versionAfter(call)]).toEqual([call.text, NEXT])
      expect([call.text, (await run(at('bin/beckon.previous'), '--version')).out]).toEqual([
        call.text,
        `beckon ${VERSION}\n`,
      ])
      // The next start of a server removes what is left, but no young copy, which may be under way.
      const left = [
        ...unfinishedIn(at('data')).map((name) => join(at('data'), name)),
        ...readdirSync(at('bin')).map((name) => join(at('bin'), name)),
      ]
      for (const path of left) utimesSync(path, LONG_AGO, LONG_AGO)
      await (await serverProcess(at('data'), 0, { program: [program], ...where })).end('SIGTERM')
      expect([call.text, readdirSync(at('bin')).sort()]).toEqual([
        call.text,
        ['beckon', 'beckon.previous'],
      ])
      expect([call.text, unfinishedIn(at('data'))]).toEqual([call.text, []])
    }
    expect(new Set(Object.values(after))).toEqual(new Set([VERSION, NEXT]))
  },
  900_000,
)
