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
    const compiled = validators.get(schema)
    if (compiled) return compiled
    const validate = ajv.compile({ ...schema, components: description.components })
    validators.set(schema, validate)
    return validate
  }
  const paths = Object.keys(description.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))

  return (method: string, address: string, response: Response, body: unknown) => {
    const [path = ''] = address.split('?')
    const route = paths.find(({ pattern }) => pattern.test(path))
    const operation = route && description.paths[route.path]?.[method.toLowerCase()]
    if (!operation) return
    const described = operation.responses[response.status]
    expect(described, `${method} ${path} answered ${response.status}`).toBeDefined()
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
    if (!described?.content) return expect(body).toBeUndefined()
    const { schema } = described.content[type] ?? {}
    expect(schema, `${method} ${path} answered ${response.status} as ${type}`).toBeDefined()
    const validate = validatorOf(schema as object)
    if (!validate(body)) throw new Error(`${method} ${path}: ${ajv.errorsText(validate.errors)}`)
  }
}
