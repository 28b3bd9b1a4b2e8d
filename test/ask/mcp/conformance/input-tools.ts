import { META } from '../../../../src/platform/mcp/era.ts'
import { Refused, RPC, refusal } from '../../../../src/platform/mcp/errors.ts'
import { type Fields, isFields } from '../../../../src/platform/mcp/message.ts'
import type { Run } from './fixture-toolbox.ts'

type InputRequests = Record<string, Fields>

const form = (message: string, field: string, type = 'string') => ({
  method: 'elicitation/create',
  params: {
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
  },
})
const sampling = (text: string, maxTokens: number) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens },
})
const roots = { method: 'roots/list', params: {} }

const done = (text: string) => ({ content: [{ type: 'text', text }] })
const ask = (inputRequests: InputRequests, requestState?: string) => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState === undefined ? {} : { requestState }),
})

const KEY = 'a key of this test'
const signed = (state: string) =>
  `${state}.${new Bun.CryptoHasher('sha256', KEY).update(state).digest('hex')}`

/** The state behind a signature of ours; refuses any other. */
function opened(sealed: unknown): string {
  const [state = ''] = String(sealed).split('.', 1)
  if (sealed === signed(state)) return state
  throw new Refused(refusal(400, RPC.invalidParams, 'This requestState is not ours.'))
}

function answers({ inputResponses }: Fields, keys: string[]): boolean {
  if (!isFields(inputResponses)) return false
  return keys.every((key) => isFields(inputResponses[key]))
}

/** Asks for `requests` until all of them are answered, with a signed state where one is kept. */
function once(requests: InputRequests, text: string, state?: string): Run {
  return (_call, params) => {
    const requestState = params.requestState
    if (requestState !== undefined) opened(requestState)
    if (answers(params, Object.keys(requests))) return done(text)
    return ask(requests, state === undefined ? undefined : signed(state))
  }
}

/** Tools that ask the client for more before they are done (MCP 2026-07-28, multi round trip). */
export const inputTools: Record<string, Run> = {
  test_input_required_result_elicitation: once(
    { user_name: form('What is your name?', 'name') },
    'Hello, Alice!',
  ),
  test_input_required_result_sampling: once(
    { capital_question: sampling('What is the capital of France?', 100) },
    'Paris',
  ),
  test_input_required_result_list_roots: once({ client_roots: roots }, 'file:///a root'),
  test_input_required_result_request_state: once(
    { confirm: form('Please confirm', 'ok', 'boolean') },
    'state-ok',
    'one',
  ),
  test_input_required_result_multiple_inputs: once(
    {
      user_name: form('What is your name?', 'name'),
      greeting: sampling('Generate a greeting', 50),
      client_roots: roots,
    },
    'all there',
    'many',
  ),
  test_input_required_result_tampered_state: once(
    { confirm: form('Please confirm', 'ok', 'boolean') },
    'state-ok',
    'kept',
  ),
  test_input_required_result_multi_round(_call, params) {
    const round = params.requestState === undefined ? 'none' : opened(params.requestState)
    if (round === 'two' && answers(params, ['step2'])) return done('both steps')
    if (round === 'one' && answers(params, ['step1'])) {
      return ask({ step2: form('Step 2: What is your favorite color?', 'color') }, signed('two'))
    }
    return ask({ step1: form('Step 1: What is your name?', 'name') }, signed('one'))
  },
  test_input_required_result_capabilities(_call, { _meta }) {
    const declared = isFields(_meta) && _meta[META.capabilities]
    const capabilities = isFields(declared) ? declared : {}
    return ask({
      ...(capabilities.elicitation ? { user_name: form('What is your name?', 'name') } : {}),
      ...(capabilities.sampling ? { greeting: sampling('Generate a greeting', 50) } : {}),
    })
  },
}
