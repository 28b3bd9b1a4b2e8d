import { expect, test } from 'bun:test'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Type } from '@sinclair/typebox'
import { CHANNELS } from '../../../src/ask/channels/channels.ts'
import { passedCheck } from '../../../src/ask/check.ts'
import type { ChannelModule } from '../../../src/ask/delivery/channel-module.ts'
import type { ConnectContract } from '../../../src/ask/subscribers/model/connect.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { wrongFields } from '../../../src/platform/failure.ts'
import { pageWorld } from '../../support/page-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

const fields = { mark: Type.Optional(Type.String({ description: 'Stands before each line.' })) }

const connect: ConnectContract<typeof fields> = {
  endpoint: 'a file on this machine: file:///PATH',
  fields,
  read({ endpoint, mark }) {
    if (!mark) throw wrongFields([{ field: 'mark', must: 'is required' }])
    return { endpoint, keys: undefined, authorization: mark }
  },
  label: ({ endpoint }) => `File ${endpoint.split('/').at(-1)}`,
  form: {
    id: 'new-file',
    title: 'Add a file',
    path: '/settings/devices/files',
    Form: ({ typed }) => typed?.problem ?? 'Whatever is sent is written into it.',
    read: (form) => ({
      kind: 'browser',
      transport: 'file',
      endpoint: form.get('address'),
      mark: form.get('mark') ?? '',
    }),
    typed: (form, error) => ({
      draft: { address: form.get('address') ?? '' },
      problem: String(error),
      wrong: new Map(),
    }),
  },
}

/** Writes what is sent into a file; a whole channel that only this test knows. */
const file: ChannelModule = {
  name: 'file',
  kinds: ['browser'],
  connect,
  service: () => 'The disk',
  create: () => ({
    transport: 'file',
    async send({ message }, { endpoint, authorization }) {
      appendFileSync(fileURLToPath(endpoint), `${authorization} ${message.body}\n`)
      return { outcome: 'accepted', status: 200 }
    },
  }),
  check: async ({ devices }) => [
    passedCheck(
      'push',
      'Files',
      `${devices.filter((one) => one.transport === 'file').length} files.`,
    ),
  ],
}

test('a channel is one value in one list: connected, written to, shown, tested and checked', async () => {
  using folder = tempFolder()
  await using world = await pageWorld({ channels: [...CHANNELS, file] })
  const path = join(folder.path, 'inbox.txt')
  const send = (to: string, headers: Record<string, string>, body: object) =>
    fetch(world.url + to, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const mara = { cookie: world.cookie, origin: world.url }
  const input = { kind: 'browser', transport: 'file', endpoint: `file://${path}` }
  const refused = await send('/api/v1/subscribers', mara, input)
  expect(await refused.json()).toMatchObject({ fields: [{ field: 'mark', must: 'is required' }] })
  const connected = await send('/api/v1/subscribers', mara, { ...input, mark: '>' })
  expect(connected.status).toBe(201)
  const { id } = (await connected.json()) as { id: string }

  const { db, workspaceId } = world
  const { token } = await createToken({ db, clock: systemClock }, { workspaceId, name: 'agent' })
  const question = { question: 'May I deploy?', type: 'confirm', wait: false }
  const response = await send('/api/v1/questions', { authorization: `Bearer ${token}` }, question)
  expect(response.status).toBe(200)
  await until(() => existsSync(path))
  expect(readFileSync(path, 'utf8')).toContain('> May I deploy?')

  const page = await (await world.get('/settings/devices')).text()
  expect(page).toContain('File inbox.txt')
  expect(await (await world.get('/settings/devices/add')).text()).toContain('Add a file')
  const tested = await send(`/api/v1/subscribers/${id}/test`, mara, {})
  expect(await tested.json()).toMatchObject({ said: expect.stringContaining('The disk took') })
  const more = join(folder.path, 'more.txt')
  const posted = await world.post('/settings/devices/files', {
    address: `file://${more}`,
    mark: '*',
  })
  expect(posted.status).toBe(303)
  const wrong = await world.post('/settings/devices/files', { address: 'no address', mark: '*' })
  expect(wrong.status).toBe(422)

  const health = await (await world.get('/api/v1/health')).json()
  expect(JSON.stringify(health)).toContain('2 files.')
  const description = await (await world.get('/openapi.json')).text()
  expect(description).toContain('a file on this machine')
})
