import { META } from '../../platform/mcp/era.ts'
import { type Fields, isFields } from '../../platform/mcp/message.ts'
import type { FormAnswer } from './answer-form.ts'
import type { Call } from './call.ts'
import { memberText, withMembers, withValue } from './json-text.ts'
import { type Message, metaIn } from './message.ts'

/** The answers to the forms of a server, by its names for them. */
export type Answers = Readonly<Record<string, FormAnswer>>

/** What a server asks for in the result of a call (MCP 2026-07-28, multi round trip). */
export type Inputs = {
  /** The fields of each form. */
  forms: Array<[name: string, params: Fields]>
  /** True if there are requests that are no forms, such as for roots: they are for the client. */
  hasMore: boolean
}

/**
 * The call as its server gets it: a client that shows no forms is given Beckon, which does. A call of
 * another era, or of a client that shows them, stays as it is.
 */
export function declareForms(call: Call): Call {
  const { message, modern } = call
  const capabilities = metaIn(message)[META.capabilities]
  if (!modern || !isFields(capabilities) || capabilities.elicitation !== undefined) return call
  const path = ['params', '_meta', META.capabilities]
  const all = { ...capabilities, elicitation: { form: {} } }
  return { ...withText(call, withValue(message.text, path, all)), answersForms: true }
}

/** What the answer of a server asks for; undefined if there is no form in it. */
export function inputsIn({ result }: Message): Inputs | undefined {
  if (result?.resultType !== 'input_required' || !isFields(result.inputRequests)) return undefined
  const requests = Object.entries(result.inputRequests)
  const forms = requests.filter(([, one]) => isFields(one) && one.method === 'elicitation/create')
  if (forms.length === 0) return undefined
  return {
    forms: forms.map(([name, one]) => [name, paramsOf(one as Fields)]),
    hasMore: forms.length < requests.length,
  }
}

function paramsOf({ params }: Fields): Fields {
  return isFields(params) ? params : {}
}

/** The state that a server wants back, as it wrote it. */
export function stateIn({ text }: Message): string | undefined {
  return memberText(text, ['result'], 'requestState')
}

/** The answer of a server without what was answered. */
export function withoutForms(text: string, answers: Answers): string {
  const gone = Object.keys(answers).map((name) => [name, undefined])
  return withMembers(text, ['result', 'inputRequests'], Object.fromEntries(gone))
}

/** The call once more, under another id, with what its server asked for. */
export function resend(call: Call, id: string, answers: Answers, state: string | undefined): Call {
  const inputResponses = JSON.stringify(resultsOf(answers))
  const changes = { inputResponses, requestState: state }
  const text = withMembers(call.message.text, ['params'], changes)
  const request = withText(call, withMembers(text, [], { id: JSON.stringify(id) }))
  return { ...request, id, message: { ...request.message, id }, carrier: call.carrier ?? call.id }
}

/** A call that its client repeats, with the answers that were given at Beckon. */
export function withAnswers(call: Call, answers: Answers = {}): Call {
  if (Object.keys(answers).length === 0) return call
  const { text, params } = call.message
  const results = resultsOf(answers)
  if (!isFields(params.inputResponses)) {
    const inputResponses = JSON.stringify(results)
    return withText(call, withMembers(text, ['params'], { inputResponses }))
  }
  const members = Object.entries(results).map(([name, one]) => [name, JSON.stringify(one)])
  return withText(
    call,
    withMembers(text, ['params', 'inputResponses'], Object.fromEntries(members)),
  )
}

/** The results of this era have no place for a reason. */
function resultsOf(answers: Answers): Record<string, object> {
  const all = Object.entries(answers).map(([name, answer]) => {
    const { reason: _, ...result } = { reason: undefined, ...answer }
    return [name, result]
  })
  return Object.fromEntries(all)
}

function withText(call: Call, text: string): Call {
  return { ...call, message: { ...call.message, text }, line: `${text}\n` }
}
