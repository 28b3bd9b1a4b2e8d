import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { markOpen, withdrawAnswered } from '../../../src/agent/hook/relay-open.ts'
import type { HookContext } from '../../../src/agent/session/context.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const CALL = { toolName: 'Bash', toolInput: { command: 'ls' } }

let folder: ReturnType<typeof tempFolder>
let server: Bun.Server<undefined>
let withdrawn: string[]

beforeEach(() => {
  folder = tempFolder()
  withdrawn = []
  server = Bun.serve({
    port: 0,
    fetch(request) {
      withdrawn.push(new URL(request.url).pathname.split('/').at(-2) ?? '')
      return Response.json({})
    },
  })
})
afterEach(async () => {
  await server.stop(true)
  folder[Symbol.dispose]()
})

const place = () => ({ state: folder.path, client: 'claude', sessionId: 's1' })

function afterTool(): HookContext {
  const call = { ...CALL, client: 'claude', sessionId: 's1', event: 'after_tool' }
  const service = { url: `http://localhost:${server.port}`, token: 't', machineId: 'm' }
  return { call, service, state: folder.path, left: () => 5000 } as unknown as HookContext
}

function files(): string[] {
  return readdirSync(join(folder.path, 'open'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}

test('a question that is asked is withdrawn by the hook that comes after', async () => {
  const mark = markOpen(place(), CALL, undefined)
  expect(mark.isAsked('q_1')).toBe(true)
  await withdrawAnswered(afterTool())
  expect(withdrawn).toEqual(['q_1'])
  expect(mark.isOpen()).toBe(false)
  expect(files()).toEqual([])
})

test('a hook whose call was decided before its question had an id hears so, and leaves nothing', async () => {
  const mark = markOpen(place(), CALL, undefined)
  await withdrawAnswered(afterTool())
  expect(withdrawn).toEqual([])
  expect(mark.isAsked('q_1')).toBe(false)
  expect(files()).toEqual([])
})

test('the mark is as it was while the id is written, so that no hook reads half of it', () => {
  const mark = markOpen(place(), CALL, undefined)
  const [before] = files()
  mark.isAsked('q_1')
  expect(files().toSorted()).toEqual(
    [before, before?.replace('.json', '.asked')].toSorted() as string[],
  )
  mark.close()
  expect(files()).toEqual([])
})
