import { expect, test } from 'bun:test'
import Ajv2020 from 'ajv/dist/2020'
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { bridgeProcess } from '../../support/bridge-process.ts'
import {
  type McpWorld,
  mcpWorld,
  modernHeaders,
  modernMeta,
  rpc,
  TOKEN,
  toolCall,
} from '../../support/mcp-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

type Schema = { properties?: Record<string, Schema>; items?: Schema; [key: string]: unknown }
type Listed = { name: string; description: string; inputSchema: Schema; [key: string]: unknown }
type Result = { content: { text: string }[]; structuredContent?: Record<string, unknown> }

const LEAN = '?tools=lean'

async function listed(here: McpWorld, path = ''): Promise<Listed[]> {
  const { json } = await here.reply(rpc('tools/list'), {}, path)
  return (json.result as { tools: Listed[] }).tools
}

/** What runtimes, hooks and the bridge fill in. */
const MACHINE = [
  'questions',
  'requestId',
  'toolUseId',
  'localSurfaceAvailable',
  'pausedAware',
  'permissionMode',
  'sessionToolAware',
  'toolPath',
  'waitEndsAt',
  'machineId',
  'repoKey',
  'toolName',
  'toolTarget',
]

test.each([
  ['o200k', o200k],
  ['cl100k', cl100k],
])(
  'the lean list costs at most 1,900 tokens as it is served, ask_user 600 of them (%s)',
  async (_, count) => {
    await using here = await mcpWorld()
    const tools = await listed(here, LEAN)
    expect(count(JSON.stringify(tools))).toBeLessThanOrEqual(1_900)
    expect(count(JSON.stringify(tools[0]))).toBeLessThanOrEqual(600)
    expect(count(JSON.stringify(await listed(here)))).toBeGreaterThan(5_000)
  },
)

test('the lean list has the same tools in the same order, with the same annotations, in both eras', async () => {
  await using here = await mcpWorld()
  const essentials = ({ name, title, annotations }: Listed) => ({ name, title, annotations })
  const lean = await listed(here, LEAN)
  expect(lean.map(essentials)).toEqual((await listed(here)).map(essentials))
  const body = rpc('tools/list', { _meta: modernMeta() })
  const modern = await here.reply(body, modernHeaders('tools/list'), LEAN)
  expect(modern.json.result).toMatchObject({ tools: lean, resultType: 'complete' })
})

test('the lean list takes no call away: each field and limit is one of the full list', async () => {
  await using here = await mcpWorld()
  const full = await listed(here)
  const ajv = new Ajv2020({ strict: true })
  for (const [at, tool] of (await listed(here, LEAN)).entries()) {
    expect(ajv.compile(tool.inputSchema)).toBeFunction()
    const whole = full[at]?.inputSchema ?? {}
    expect(tool.inputSchema.required).toEqual(whole.required)
    expect(narrower(tool.inputSchema, whole)).toEqual([])
  }
})

test('the lean list leaves out what a model does not fill in', async () => {
  await using here = await mcpWorld()
  const [full, lean] = [await listed(here), await listed(here, LEAN)]
  const fields = (tools: Listed[]) => Object.keys(tools[0]?.inputSchema.properties ?? {})
  expect(
    fields(full)
      .filter((field) => !fields(lean).includes(field))
      .toSorted(),
  ).toEqual(MACHINE.toSorted())
})

test('the lean list goes with the other name of ask_user', async () => {
  await using here = await mcpWorld()
  const tools = await listed(here, '?ask=ask_human&tools=lean')
  expect(tools[0]?.name).toBe('ask_human')
  expect(JSON.stringify(tools)).not.toContain('ask_user')
  expect(tools[0]?.inputSchema).toEqual((await listed(here, LEAN))[0]?.inputSchema as Schema)
})

test.each(['', '?tools=', '?tools=full', '?tool=lean', '?tools=LEAN', '?x=1'])(
  'the lean list is not what %p lists',
  async (path) => {
    await using here = await mcpWorld()
    expect(await listed(here, path)).toEqual(await listed(here))
    expect((await listed(here, path))[0]).toHaveProperty('outputSchema')
  },
)

/** Keywords of `lean` that `full` does not have, but for words. */
function narrower(lean: Schema, full: Schema, at = ''): string[] {
  return Object.entries(lean).flatMap(([key, value]) => {
    if (key === 'description') return []
    if (key === 'items') return narrower(value as Schema, full.items ?? {}, `${at}[]`)
    if (key !== 'properties') return Bun.deepEquals(value, full[key]) ? [] : [`${at}.${key}`]
    return Object.entries(value as Record<string, Schema>).flatMap(([name, field]) => {
      const whole = full.properties?.[name]
      return whole ? narrower(field, whole, `${at}.${name}`) : [`${at}.${name}`]
    })
  })
}

async function call(here: McpWorld, args: object, path = LEAN): Promise<Result> {
  const { json } = await here.reply(toolCall('ask_user', args), {}, path)
  return json.result as Result
}

test('a call at the lean address takes the fields that are not listed, and they work as ever', async () => {
  await using here = await mcpWorld()
  await here.world.device('laptop')
  const args = {
    question: 'Push?',
    wait: false,
    toolUseId: 'toolu_1',
    toolName: 'Bash',
    toolTarget: 'git push',
    sessionId: 's1',
    machineId: 'm1',
    toolPath: '/srv/app',
    pausedAware: true,
  }
  const first = await call(here, args)
  expect(first.structuredContent).toMatchObject({ status: 'pending' })
  // The id makes both calls one question, at either address.
  const again = [await call(here, args), await call(here, args, '')]
  for (const { structuredContent } of again) {
    expect(structuredContent?.correlationId).toEqual(first.structuredContent?.correlationId)
  }
})

test('a call at the lean address refuses the same calls', async () => {
  await using here = await mcpWorld()
  for (const args of [
    { question: 'a', toolPath: 'x' },
    { question: '' },
    { question: 'a', x: 1 },
  ]) {
    for (const path of ['', LEAN]) {
      expect(await call(here, args, path)).toMatchObject({ isError: true })
    }
  }
})

test('the bridge lists the lean form, with and without its server', async () => {
  using folder = tempFolder()
  const here = await mcpWorld()
  const env = { HOME: folder.path, BECKON_URL: new URL(here.url).origin, BECKON_TOKEN: TOKEN }
  await using bridge = bridgeProcess(env, { limits: { listMs: 20_000 } })
  const tools = await listed(here, LEAN)
  bridge.send(rpc('tools/list', {}, 1))
  expect(await bridge.reply(1)).toMatchObject({ result: { tools } })
  await here[Symbol.asyncDispose]()
  await using alone = bridgeProcess(env, { limits: { listMs: 200 } })
  alone.send(rpc('tools/list', {}, 2))
  expect((await alone.reply(2)).result).toEqual({ tools })
}, 60_000)
