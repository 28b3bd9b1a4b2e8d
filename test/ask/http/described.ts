import { expect } from 'bun:test'
import Ajv from 'ajv/dist/2020'

type Operation = {
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}
type Description = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

/** A check that a response is one that the description knows, and has the shape it says. */
export function describedBy(description: Description) {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  const validators = new Map<object, ReturnType<typeof ajv.compile>>()
  function validatorOf(schema: object) {
    const known = validators.get(schema)
    if (known) return known
    const made = ajv.compile({ ...schema, components: description.components })
    validators.set(schema, made)
    return made
  }
  const paths = Object.keys(description.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))

  return (method: string, address: string, response: Response, body: unknown) => {
    const [path = ''] = address.split('?')
    const known = paths.find(({ pattern }) => pattern.test(path))
    const operation = known && description.paths[known.path]?.[method.toLowerCase()]
    if (!operation) return
    const said = operation.responses[response.status]
    expect(said, `${method} ${path} answered ${response.status}`).toBeDefined()
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
    if (!said?.content) return expect(body).toBeUndefined()
    const { schema } = said.content[type] ?? {}
    expect(schema, `${method} ${path} answered ${response.status} as ${type}`).toBeDefined()
    const validate = validatorOf(schema as object)
    if (!validate(body)) throw new Error(`${method} ${path}: ${ajv.errorsText(validate.errors)}`)
  }
}
