import { isObject } from './parse-document.ts'

/** What every operation should have; docs/catalog/measuring.md describes each. */
export const RULES = [
  'operation-id',
  'description',
  'parameters',
  'request-schema',
  'response-schema',
  'error-response',
  'security',
  'example',
] as const
type Rule = (typeof RULES)[number]

/** Of a rule: how many operations it is about, and how many have what it asks for. */
type RuleCount = { rule: Rule; operations: number; complete: number }

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const OPERATIONS_MAX = 5_000
const HOPS_MAX = 5
// An example may lie in a schema; deeper ones are not looked for.
const DEPTH_MAX = 4

type Json = Record<string, unknown>

/**
 * Counts what the operations of an OpenAPI 3 or Swagger 2.0 document have. References are followed
 * inside the document. Undefined without an operation.
 */
export function lintDocument(document: Json): RuleCount[] | undefined {
  const operations = operationsOf(document)
  if (operations.length === 0) return undefined
  const ids = new Map<unknown, number>()
  for (const { own } of operations) ids.set(own.operationId, (ids.get(own.operationId) ?? 0) + 1)
  const answers = operations.map((operation) => judge(document, operation, ids))
  return RULES.map((rule) => {
    const about = answers.flatMap((answer) => answer[rule] ?? [])
    return { rule, operations: about.length, complete: about.filter(Boolean).length }
  })
}

type Operation = { own: Json; shared: Json }

function operationsOf(document: Json): Operation[] {
  const operations: Operation[] = []
  for (const item of Object.values(objectAt(document.paths))) {
    const shared = followed(document, item)
    for (const method of METHODS) {
      if (!isObject(shared[method]) || operations.length >= OPERATIONS_MAX) continue
      operations.push({ own: shared[method], shared })
    }
  }
  return operations
}

/** True or false by rule; a rule that is not about the operation is missing. */
function judge(
  document: Json,
  { own, shared }: Operation,
  ids: ReadonlyMap<unknown, number>,
): Partial<Record<Rule, boolean>> {
  const parameters = [...listAt(shared.parameters), ...listAt(own.parameters)].map((one) =>
    followed(document, one),
  )
  const body = followed(document, own.requestBody ?? parameters.find((one) => one.in === 'body'))
  const replies = Object.entries(objectAt(own.responses)).map(
    ([status, reply]) => [status, followed(document, reply)] as const,
  )
  const good = replies.filter(([status]) => /^(2|default)/.test(status))
  const hasBody = own.requestBody !== undefined || Object.keys(body).length > 0
  return {
    'operation-id': isText(own.operationId) && ids.get(own.operationId) === 1,
    description: isText(own.description) || isText(own.summary),
    ...(parameters.length > 0 ? { parameters: parameters.every(isDescribed) } : {}),
    ...(hasBody ? { 'request-schema': schemasOf(body).length > 0 } : {}),
    'response-schema': good.some(([status, one]) => status === '204' || schemasOf(one).length > 0),
    'error-response': replies.some(([status]) => /^([45]|default)/.test(status)),
    security: Array.isArray(own.security ?? document.security),
    example: [...replies.map(([, one]) => one), body].some((one) => hasExample(document, one)),
  }
}

function isDescribed(parameter: Json): boolean {
  const hasType = isObject(parameter.schema) || isObject(parameter.content)
  return isText(parameter.description) && (hasType || isText(parameter.type))
}

/** The schemas of a body or reply, in the way of version 3 or 2. */
function schemasOf({ content, schema }: Json): Json[] {
  const media = Object.values(objectAt(content)).map((one) => objectAt(one).schema)
  return [schema, ...media].filter(isObject)
}

function hasExample(document: Json, one: Json): boolean {
  const media = Object.values(objectAt(one.content)).filter(isObject)
  if ([one, ...media].some(isExampled)) return true
  return schemasOf(one).some((schema) => isSchemaExampled(document, schema, 0))
}

function isSchemaExampled(document: Json, value: unknown, depth: number): boolean {
  const schema = followed(document, value)
  if (isExampled(schema)) return true
  if (depth >= DEPTH_MAX) return false
  const inner = [schema.items, ...Object.values(objectAt(schema.properties))]
  return inner.some((one) => isObject(one) && isSchemaExampled(document, one, depth + 1))
}

function isExampled({ example, examples }: Json): boolean {
  return example !== undefined || examples !== undefined
}

/** Follows `#/…` references inside the document, a few at most; empty where they lead nowhere. */
function followed(document: Json, value: unknown): Json {
  let at = objectAt(value)
  for (let hop = 0; hop < HOPS_MAX && typeof at.$ref === 'string'; hop++) {
    at = at.$ref.startsWith('#/') ? objectAt(placeIn(document, at.$ref.slice(2))) : {}
  }
  return at
}

function placeIn(document: Json, pointer: string): unknown {
  let at: unknown = document
  for (const part of pointer.split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return at
}

function objectAt(value: unknown): Json {
  return isObject(value) ? value : {}
}

function listAt(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}
