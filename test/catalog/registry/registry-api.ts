import { expect } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import api from '../../fixtures/mcp-registry/openapi.json'

const ajv = addFormats(new Ajv({ strict: false, allErrors: true }))
ajv.addSchema({ $id: 'registry', components: api.components })

type Api = Record<string, { get: { responses: Record<string, { content: object }> } }>

/** Throws where an answer is not what the registry's own document says of its address. */
export async function heldToRegistry(path: string, response: Response): Promise<never | object> {
  const [address = ''] = path.split('?')
  const template = address
    .replace(/^(\/v0\.1\/servers)\/[^/]+/, '$1/{serverName}')
    .replace(/(\/versions)\/[^/]+$/, '$1/{version}')
  const described = (api.paths as unknown as Api)[template]?.get.responses[response.status]
  if (!described) throw new Error(`${path}: the registry has no answer ${response.status}`)
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(described.content)
  expect([path, response.headers.get('content-type')]).toEqual([path, type])
  const body = await response.json()
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"registry#/')))
  validate(body)
  expect([path, validate.errors ?? []]).toEqual([path, []])
  return body
}

/** Parameters of the registry's list, as its document names them. */
export const REGISTRY_NAMES: string[] = api.paths['/v0.1/servers'].get.parameters.map(
  ({ name }) => name,
)
