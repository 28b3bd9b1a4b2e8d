/** What a caller relies on of one field: of an input all of it, of an output the first two. */
export type Fact = {
  /** JSON types, or `#Name` of a component, joined by `|`; `any` where nothing is said. */
  types: string
  required?: true
  enum?: string[]
  limits?: Record<string, string | number>
}

/** Facts by operation, such as `POST /api/v1/questions`, and in it by side and path of the field. */
export type Facts = Record<string, Record<string, Fact>>

type Schema = { [name: string]: unknown }
type Found = Record<string, Fact>
type Operation = {
  parameters?: Array<{ name: string; in: string; required?: boolean; schema?: Schema }>
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> }
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const LIMITS = 'minLength maxLength minimum maximum minItems maxItems pattern format'.split(' ')

/** The facts of an OpenAPI 3.1 document: what it accepts, and what a success answers. */
export function factsOf(document: object): Facts {
  const { paths, components } = document as Document
  const facts: Facts = {}
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      facts[`${method.toUpperCase()} ${path}`] = operationFacts(operation, components.schemas)
    }
  }
  for (const [name, schema] of Object.entries(components.schemas)) {
    facts[`#${name}`] = schemaFacts(schema, 'out', 'out', undefined)
  }
  return facts
}

function operationFacts(operation: Operation, components: Record<string, Schema>): Found {
  const facts: Found = {}
  for (const { name, in: place, required, schema = {} } of operation.parameters ?? []) {
    const innerFacts = schemaFacts(schema, `in ${place}:${name}`, 'in', components)
    Object.assign(facts, required ? withRequired(innerFacts, `in ${place}:${name}`) : innerFacts)
  }
  const { requestBody, responses } = operation
  for (const [type, { schema = {} }] of Object.entries(requestBody?.content ?? {})) {
    const innerFacts = schemaFacts(schema, `in ${shortOf(type)}`, 'in', components)
    Object.assign(
      facts,
      requestBody?.required ? withRequired(innerFacts, `in ${shortOf(type)}`) : innerFacts,
    )
  }
  for (const [status, { content }] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue
    facts[`out ${status}`] = { types: 'any' }
    for (const [type, { schema = {} }] of Object.entries(content ?? {})) {
      Object.assign(facts, schemaFacts(schema, `out ${status} ${shortOf(type)}`, 'out', undefined))
    }
  }
  return facts
}

function shortOf(type: string): string {
  return type.replace(/^application\//, '')
}

function withRequired(facts: Found, at: string): Found {
  return { ...facts, [at]: { ...(facts[at] as Fact), required: true } }
}

/** Facts of a schema and of everything in it. With `components`, references are followed. */
function schemaFacts(
  schema: Schema,
  at: string,
  side: 'in' | 'out',
  components: Record<string, Schema> | undefined,
): Found {
  const ref = String(schema.$ref ?? '').replace('#/components/schemas/', '')
  if (ref) {
    const schemaOfRef = components?.[ref]
    return schemaOfRef
      ? schemaFacts(schemaOfRef, at, side, components)
      : { [at]: { types: `#${ref}` } }
  }
  const choices = schema.anyOf as Schema[] | undefined
  if (choices) return united(choices.map((one) => schemaFacts(one, at, side, components)))
  const facts: Found = { [at]: factOf(schema, side) }
  const required = (schema.required ?? []) as string[]
  for (const [name, inner] of Object.entries((schema.properties ?? {}) as Schema)) {
    const innerFacts = schemaFacts(inner as Schema, `${at}.${name}`, side, components)
    Object.assign(
      facts,
      required.includes(name) ? withRequired(innerFacts, `${at}.${name}`) : innerFacts,
    )
  }
  const rest = Object.values((schema.patternProperties ?? {}) as Schema)
  if (typeof schema.additionalProperties === 'object') rest.push(schema.additionalProperties)
  for (const inner of rest)
    Object.assign(facts, schemaFacts(inner as Schema, `${at}.*`, side, components))
  if (schema.items)
    Object.assign(facts, schemaFacts(schema.items as Schema, `${at}[]`, side, components))
  return facts
}

function factOf(schema: Schema, side: 'in' | 'out'): Fact {
  const types = [schema.type ?? 'any'].flat().map(String).sort().join('|')
  if (side === 'out') return { types }
  const values = 'const' in schema ? [schema.const] : (schema.enum as unknown[] | undefined)
  const limits = LIMITS.filter((name) => name in schema).map((name) => [name, schema[name]])
  return {
    types,
    ...(values ? { enum: values.map(String) } : {}),
    ...(limits.length > 0 ? { limits: Object.fromEntries(limits) } : {}),
  }
}

/** One of several schemas holds: a field is certain where all that have its parent require it. */
function united(choices: Found[]): Found {
  const combined: Found = {}
  for (const at of new Set(choices.flatMap((one) => Object.keys(one)))) {
    const facts = choices.map((one) => one[at]).filter((one) => one !== undefined)
    const parents = choices.filter((one) => parentOf(at, one))
    const types = new Set(facts.flatMap((one) => one.types.split('|')))
    const everywhere = facts.length === parents.length && facts.every(({ required }) => required)
    const enums = facts.map((one) => one.enum)
    const [first] = facts
    combined[at] = {
      types: [...types].sort().join('|'),
      ...(everywhere ? { required: true } : {}),
      ...(enums.every((one) => one)
        ? { enum: [...new Set(enums.flatMap((one) => one ?? []))] }
        : {}),
      ...(facts.length === 1 && first?.limits ? { limits: first.limits } : {}),
    }
  }
  return combined
}

/** Whether a set of facts has an object that the field could be in. */
function parentOf(at: string, one: Found): boolean {
  const parent = at.slice(0, at.lastIndexOf('.'))
  return one[parent]?.types.includes('object') ?? false
}
