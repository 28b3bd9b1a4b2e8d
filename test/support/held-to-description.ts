import { expect } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import type { DescribedResponse, Description } from './published-catalog.ts'

/** The path of the description that an address belongs to. */
export function describedPath({ paths }: Description, address: string): string | undefined {
  const [path = ''] = address.split('?')
  if (paths[path]) return path
  // Longest first: `/tools/{slug}.min.md` before `/tools/{slug}.md`.
  return Object.keys(paths)
    .filter((one) => one.includes('{'))
    .sort((a, b) => b.length - a.length)
    .find((one) =>
      new RegExp(
        `^${one
          .replaceAll('.', '\\.')
          // What follows a slug begins with a dot; names of servers and versions have dots.
          .replaceAll('{slug}', '[^/.]+')
          .replace(/\{\w+\}/g, '[^/]+')}$`,
      ).test(path),
    )
}

type Errors = (schema: object, value: unknown) => string[]

/** By the text of the components: every catalog has the same, and compiling them takes a second. */
const compiled = new Map<string, Errors>()

/** What is wrong with a value, by a schema that refers to these components. */
function errorsWith(components: Description['components']): Errors {
  const cached = compiled.get(JSON.stringify(components))
  if (cached) return cached
  // What it compiles is used a few times: making it small would take longer than using it.
  const quick = { inlineRefs: false, code: { optimize: false } }
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true, ...quick }))
  ajv.addSchema({ $id: 'api', components })
  const cache = new Map<string, ReturnType<typeof ajv.compile>>()
  const errorsOf: Errors = (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"api#/')
    const validate = cache.get(text) ?? ajv.compile(JSON.parse(text))
    cache.set(text, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
  compiled.set(JSON.stringify(components), errorsOf)
  return errorsOf
}

/**
 * Checks of what is served against what the description says of its address, with another
 * implementation of JSON Schema 2020-12 than the one that made it: status, media type, headers, and
 * every field of a body.
 */
export function heldTo(description: Description) {
  const errorsOf = errorsWith(description.components)

  function checkHeaders(described: DescribedResponse, response: Response, about: string) {
    for (const [name, { $ref }] of Object.entries(described.headers ?? {})) {
      const header = description.components.headers[$ref.split('/').at(-1) ?? '']
      expect(header, `${about}: ${$ref}`).toBeDefined()
      const value = response.headers.get(name)
      if (value === null) {
        expect(header?.required ?? false, `${about}: ${name} is missing`).toBe(false)
        continue
      }
      const read = header?.schema.type === 'integer' ? Number(value) : value
      const errors = errorsOf(header?.schema ?? {}, read)
      expect(errors, `${about}: ${name}: ${value}`).toEqual([])
    }
  }

  /** The path of the description; throws where the response is not as it says. */
  return async (address: string, response: Response): Promise<string> => {
    const about = `${address} ${response.status}`
    const path = describedPath(description, address)
    const responses = path && description.paths[path]?.get?.responses
    if (!path || !responses) throw new Error(`${about}: nothing describes it`)
    const described = responses[response.status] ?? responses.default
    if (!described) throw new Error(`${about}: no such answer is described`)
    checkHeaders(described, response, about)
    const body = await response.text()
    if (!described.content) {
      expect(body, about).toBe('')
      return path
    }
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
    expect(Object.keys(described.content), about).toEqual([type])
    const isJson = /[/+]json$/.test(type)
    const errors = errorsOf(described.content[type]?.schema ?? {}, isJson ? JSON.parse(body) : body)
    expect(errors.slice(0, 10), about).toEqual([])
    return path
  }
}
