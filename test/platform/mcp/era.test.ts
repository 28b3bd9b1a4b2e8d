import { describe, expect, test } from 'bun:test'
import { eraOf } from '../../../src/platform/mcp/era.ts'
import { type RpcRequest, readMessage } from '../../../src/platform/mcp/message.ts'
import { MODERN, modernHeaders, modernMeta, rpc } from '../../support/mcp-world.ts'

const V = 'io.modelcontextprotocol/protocolVersion'
const CAPS = 'io.modelcontextprotocol/clientCapabilities'
const list = { ...rpc('tools/list', { _meta: modernMeta() }) }
const call = rpc('tools/call', { name: 'ask_user', _meta: modernMeta() })
const without = (key: string) => ({ _meta: { ...modernMeta(), [key]: undefined } })

type Row = [name: string, headers: Record<string, string>, message: object, wanted: object]
const OLD = { kind: 'old' }
const modern = { kind: 'modern', meta: { version: MODERN } }
const refused = (status: number, code: number) => ({ kind: 'refusal', status, code })

const ROWS: Row[] = [
  ['neither body nor header names a version', {}, rpc('tools/list'), OLD],
  ['the header names an old version', { 'mcp-protocol-version': '2025-06-18' }, rpc('ping'), OLD],
  [
    'the header names the first version',
    { 'mcp-protocol-version': '2024-10-07' },
    rpc('ping'),
    OLD,
  ],
  [
    'the header alone is modern',
    { 'mcp-protocol-version': MODERN },
    rpc('tools/list'),
    refused(400, -32602),
  ],
  ['the header is no version', { 'mcp-protocol-version': 'x' }, rpc('ping'), refused(400, -32022)],
  [
    'the header lies between',
    { 'mcp-protocol-version': '2026-01-01' },
    rpc('ping'),
    refused(400, -32022),
  ],
  ['initialize without modern meta', {}, rpc('initialize', { protocolVersion: MODERN }), OLD],
  [
    '_meta without capabilities',
    modernHeaders('tools/list'),
    rpc('tools/list', without(CAPS)),
    refused(400, -32602),
  ],
  [
    'capabilities of a wrong shape',
    modernHeaders('tools/list'),
    rpc('tools/list', { _meta: modernMeta({ [CAPS]: [] }) }),
    refused(400, -32602),
  ],
  [
    '_meta without a version, header modern',
    modernHeaders('tools/list'),
    rpc('tools/list', without(V)),
    refused(400, -32602),
  ],
  [
    'a version that is no text',
    modernHeaders('tools/list'),
    rpc('tools/list', { _meta: modernMeta({ [V]: 7 }) }),
    refused(400, -32602),
  ],
  ['no headers', {}, list, refused(400, -32020)],
  ['the version header is missing', { 'mcp-method': 'tools/list' }, list, refused(400, -32020)],
  [
    'the version header differs',
    { ...modernHeaders('tools/list'), 'mcp-protocol-version': '2025-11-25' },
    list,
    refused(400, -32020),
  ],
  ['the method header differs', modernHeaders('tools/call'), list, refused(400, -32020)],
  ['the method header differs in case', modernHeaders('Tools/List'), list, refused(400, -32020)],
  ['the name header is missing', modernHeaders('tools/call'), call, refused(400, -32020)],
  [
    'the name header differs',
    modernHeaders('tools/call', 'wait_for_answer'),
    call,
    refused(400, -32020),
  ],
  [
    'the name header is in base64',
    modernHeaders('tools/call', '=?base64?YXNrX3VzZXI=?='),
    call,
    modern,
  ],
  ['blanks around a header', modernHeaders('tools/call', '  ask_user '), call, modern],
  [
    'the version is not spoken here',
    { ...modernHeaders('tools/list'), 'mcp-protocol-version': '2027-01-01' },
    rpc('tools/list', { _meta: modernMeta({ [V]: '2027-01-01' }) }),
    refused(400, -32022),
  ],
  ['all agrees', modernHeaders('tools/list'), list, modern],
  [
    'no clientInfo',
    modernHeaders('ping'),
    rpc('ping', without('io.modelcontextprotocol/clientInfo')),
    modern,
  ],
  ['_meta is no object', {}, rpc('tools/list', { _meta: 'x' }), OLD],
  [
    'a method named like an inherited field',
    modernHeaders('constructor'),
    rpc('constructor', { _meta: modernMeta() }),
    modern,
  ],
]

describe('the era of a request', () => {
  for (const [name, headers, message, wanted] of ROWS) {
    test(name, () => {
      const request = readMessage(JSON.parse(JSON.stringify(message))) as RpcRequest
      expect(eraOf(new Headers(headers), request)).toMatchObject(wanted)
    })
  }

  test('an unknown version is told which are spoken, and its own', () => {
    const request = readMessage(rpc('ping')) as RpcRequest
    expect(eraOf(new Headers({ 'mcp-protocol-version': '2026-01-01' }), request)).toMatchObject({
      data: { supported: [MODERN], requested: '2026-01-01' },
    })
  })
})
