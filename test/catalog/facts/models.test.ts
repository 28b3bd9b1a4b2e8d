import { afterEach, beforeEach, expect, test } from 'bun:test'
import { factValue } from '../../../src/catalog/facts/facts.ts'
import { modelsProbe } from '../../../src/catalog/facts/models.ts'
import { MODELS_MAX } from '../../../src/catalog/records/models.ts'
import { MARKUP, STRANGE } from '../../support/hostile-corpus.ts'
import { HOSTILE, localOutside, type PlayedSite, playedSite, towards } from './played-site.ts'
import { aSubject, NOW, visibleFacts } from './subjects.ts'

let site: PlayedSite
const outside = localOutside()

beforeEach(async () => {
  site = await playedSite()
})
afterEach(async () => {
  await site[Symbol.asyncDispose]()
})

type Tool = Parameters<typeof aSubject>[0]
async function models(tool: Tool = {}, through = outside) {
  const subject = aSubject({ category: 'models', remoteUrl: site.base, ...tool })
  const facts = visibleFacts(await modelsProbe().run(through, subject, NOW))
  if (facts.models !== undefined) expect(factValue('models', facts.models)).toBeDefined()
  return facts.models as Record<string, Record<string, unknown>> | undefined
}

test('a list without credentials is read with what it says of each model, and where', async () => {
  site.json('/v1/models', {
    object: 'list',
    data: [
      { id: 'b-large', object: 'model', created: 1, owned_by: 'Acme', context_window: 131072 },
      {
        id: 'acme/a:free',
        name: 'A',
        context_length: 8000,
        architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
        top_provider: { max_completion_tokens: 4000 },
        supported_parameters: ['tools', 'temperature', 'structured_outputs'],
      },
      { id: 'c', capabilities: { function_calling: false }, context_length: -1, name: 7 },
    ],
  })
  const source = `${site.base}/v1/models`
  expect(await models()).toEqual({
    'acme/a:free': {
      ...{ name: 'A', contextTokens: 8000, outputTokens: 4000, input: 'text, image' },
      ...{ output: 'text', toolCalls: true, structuredOutput: true, source },
    },
    'b-large': { ownedBy: 'Acme', contextTokens: 131072, source },
    c: { toolCalls: false, source },
  })
  expect(site.requests.every(({ headers }) => !headers.has('authorization'))).toBe(true)
})

test.each([
  ['', ['/v1/models', '/models']],
  ['/v1/chat/completions', ['/v1/models']],
  ['/openai/v1/', ['/openai/v1/models']],
  ['/api', ['/api/v1/models', '/api/models']],
] as const)('of an API at "%s" these addresses are asked', async (path, expected) => {
  expect(await models({ remoteUrl: site.base + path })).toBeUndefined()
  expect(site.paths).toEqual([...expected])
})

test('the second address counts where the first one is not there', async () => {
  site.json('/models', { data: [{ id: 'one' }] })
  expect(await models()).toEqual({ one: { source: `${site.base}/models` } })
})

test.each([401, 403, 404, 410, 402, 500])('a status of %i is no fact', async (status) => {
  const body = { data: [{ id: 'one' }] }
  site.on('/v1/models', () => Response.json(body, { status }))
  expect(await models()).toBeUndefined()
})

test('an empty list, one of something else, and one that says no names are no fact', async () => {
  for (const value of [{ data: [] }, { models: ['a'] }, ['a'], { data: [{ id: 5 }, 'x', null] }]) {
    site.json('/v1/models', value)
    expect(await models()).toBeUndefined()
  }
})

for (const name of Object.keys(HOSTILE)) {
  test(`${name} says nothing`, async () => {
    site.on('/v1/models', HOSTILE[name] as never)
    expect(await models({ remoteUrl: `${site.base}/v1` }, towards(name))).toBeUndefined()
  })
}

test('2,000 models and hostile names stay within bounds', async () => {
  const many = Array.from({ length: 2_000 }, (_, i) => ({ id: `m-${i}`, name: 'x'.repeat(900) }))
  const odd = [...MARKUP, ...STRANGE, '__proto__', 'constructor', '-rf', 'a b', 'x'.repeat(201)]
  site.json('/v1/models', {
    data: [...odd.map((id) => ({ id, owned_by: id })), ...many, { id: 'm-0' }],
  })
  const all = await models()
  expect(Object.keys(all ?? {})).toHaveLength(MODELS_MAX)
  expect(JSON.stringify(all).length).toBeLessThan(MODELS_MAX * 300)
  expect(Object.keys(all ?? {}).every((id) => /^[\w@][\w@.:/+-]*$/.test(id))).toBe(true)
  expect(Object.hasOwn(all ?? {}, '__proto__')).toBe(false)
})

const applies = (tool: Tool) =>
  modelsProbe().appliesTo(aSubject({ remoteUrl: 'https://api.example.com', ...tool }))

test('models, and APIs that say that they serve some', () => {
  expect(applies({ kind: 'model' })).toBe(true)
  expect(applies({ category: 'models' })).toBe(true)
  expect(applies({ capabilities: ['models.list'] })).toBe(true)
  expect(applies({ models: { one: {} } })).toBe(true)
  expect(applies({})).toBe(false)
  expect(applies({ capabilities: ['remodelsx.y'] })).toBe(false)
  expect(applies({ kind: 'mcp', category: 'models' })).toBe(false)
  expect(applies({ kind: 'platform', category: 'models' })).toBe(false)
})

test('one request for all records of an address, also when it refuses', async () => {
  const probe = modelsProbe()
  site.on('/v1/models', () => new Response('{}', { status: 401 }))
  for (const slug of ['a', 'b', 'c']) {
    const subject = aSubject({ slug, kind: 'model', remoteUrl: site.base })
    await probe.run(outside, subject, NOW)
  }
  expect(site.paths).toEqual(['/v1/models'])
})

test('a record of a model has that model alone', async () => {
  site.json('/v1/models', { data: [{ id: 'one' }, { id: 'two' }] })
  expect(Object.keys((await models({ kind: 'model', models: { two: {} } })) ?? {})).toEqual(['two'])
  expect(await models({ kind: 'model', models: { three: {} } })).toBeUndefined()
})
