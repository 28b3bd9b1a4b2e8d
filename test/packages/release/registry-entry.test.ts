import { expect, test } from 'bun:test'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import packageJson from '../../../package.json'
import { file, tar } from '../../../packages/release/archive.ts'
import { imageArchive } from '../../../packages/release/image.ts'
import { mainPackage } from '../../../packages/release/npm-packages.ts'
import { TARGETS } from '../../../packages/release/targets.ts'
import entry from '../../../server.json'
import { MCP_PATH } from '../../../src/ask/mcp/route.ts'
import schema from '../../fixtures/mcp-server-json/server.schema.json'
import { bridgeProcess } from '../../support/bridge-process.ts'
import { wholeServer } from '../../support/whole-server.ts'

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'a client', version: '1' },
}
const isValid = addFormats(new Ajv({ strict: false, allErrors: true })).compile(schema)
const { version } = packageJson
const [npm, oci] = entry.packages
const [remote] = entry.remotes

test('the entry is valid by the schema of the registry, which would say so', () => {
  expect([isValid(entry), isValid.errors]).toEqual([true, null])
  expect(entry.$schema).toBe(schema.$id)
  expect(isValid({ ...entry, name: 'beckon' })).toBe(false)
  expect(isValid({ ...entry, packages: [{ ...npm, version: 'latest' }] })).toBe(false)
  expect(isValid({ ...entry, remotes: [{ ...remote, url: '{host}' }] })).toBe(false)
})

test('the versions of the registry entry are those of the release', () => {
  expect([entry.version, npm?.version]).toEqual([version, version])
  expect(oci?.identifier).toEndWith(`:${version}`)
})

test('the npm package and the image say that they belong to it', async () => {
  const { bytes } = await mainPackage(TARGETS, { version, repository: '', licences: [] })
  const files = await new Bun.Archive(Bun.gunzipSync(new Uint8Array(bytes))).files()
  const described = JSON.parse((await files.get('package/package.json')?.text()) ?? '')
  expect(described).toMatchObject({ name: String(npm?.identifier), mcpName: entry.name })
  const part = { cpu: 'x64' as const, executable: Buffer.from('x'), base: tar([file('x', 'x')]) }
  const image = imageArchive([part], version, { licence: 'x', thirdParty: 'x' })
  const label = JSON.stringify({ 'io.modelcontextprotocol.server.name': entry.name })
  expect(Buffer.from(image).toString('latin1')).toContain(label.slice(1, -1))
})

test('the address and header of the registry entry, filled in, reach a tool of a server', async () => {
  await using server = await wholeServer()
  const { host } = new URL(server.url)
  const url = String(remote?.url).replace('https://{host}', `http://${host}`)
  expect(url).toBe(`${server.url}${MCP_PATH}`)
  const [header] = remote?.headers ?? []
  const notify = (token: string) => {
    const value = String(header?.value).replace('{token}', token)
    const params = { name: 'send_notification', arguments: { title: 'Done', body: 'All of it.' } }
    return server.rpc('tools/call', params, { [String(header?.name)]: value })
  }
  const { json } = await notify(await server.token())
  expect(json).toMatchObject({ result: { structuredContent: { sent: 0 } } })
  expect((await notify('bk_wrong')).json).not.toMatchObject({ result: { structuredContent: {} } })
})

test.each(entry.packages)(
  'the command and the variables of its $registryType package reach that server',
  async (one) => {
    expect(one.packageArguments.map(({ value }) => value)).toEqual(['mcp'])
    await using server = await wholeServer()
    const values = [server.url, await server.token()]
    const names = one.environmentVariables.map(({ name }) => name)
    const env = Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']))
    await using bridge = bridgeProcess(env)
    const params = { name: 'send_notification', arguments: { title: 'Done', body: 'All of it.' } }
    bridge.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: INITIALIZE })
    await bridge.reply(0)
    bridge.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    expect(await bridge.reply(1)).toMatchObject({ result: { structuredContent: { sent: 0 } } })
  },
)
