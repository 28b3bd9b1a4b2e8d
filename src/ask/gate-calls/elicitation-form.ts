import type { FormSchema } from '../../../packages/js/src/form.ts'
import { Failure } from '../../platform/failure.ts'
import { type Fields, isFields } from '../../platform/mcp/message.ts'
import { cleanLine, codePoints } from '../../platform/text.ts'
import type { AskUserInput } from '../wire/ask-fields.ts'
import { readSchema } from '../wire/form.ts'
import { QUESTION_MAX } from '../wire/question-fields.ts'
import { type Reader, readerOf } from './elicitation-values.ts'

/** A question to a person: fields of `ask_user`, or of a program's question with a form. */
export type FieldQuestion = Pick<
  AskUserInput,
  'question' | 'type' | 'options' | 'questions' | 'context'
> & { schema?: FormSchema }

/** A value of a form, and how a person is asked for it. */
export type FormField = { name: string; ask: FieldQuestion; read: Reader }

/**
 * What a server asks for: the titles of its fields, and how a person answers all of them on one page,
 * or one after the other. At least one of the two is there, unless there are no fields.
 */
export type Form = {
  message: string
  titles: string[]
  schema: FormSchema | undefined
  fields: FormField[] | undefined
}

const FIELDS_MAX = 6
const CONTEXT_MAX = 500
const CHOICES_MAX = 6
const PICKED_MAX = 4
const LABEL_MAX = 100
const SCHEMA = new Set(['$schema', 'type', 'title', 'description', 'properties', 'required'])
const SECRET = /passw|passphrase|secret|token|api.?key|credential|\bpin\b|cvv/i

/** The choice that leaves an optional field out, and the text that does so. */
const LEAVE_OUT = 'Leave it out'
const LEAVE_OUT_TEXT = '-'

/** The form of an `elicitation/create` request; a text says why it cannot be put to a person. */
export function readForm({ mode = 'form', message, requestedSchema }: Fields): Form | string {
  if (mode !== 'form') return 'it asks for something else than a form'
  if (typeof message !== 'string' || cleanLine(message) === '') return 'it says nothing'
  if (!isFields(requestedSchema) || requestedSchema.type !== 'object')
    return 'its form has no fields'
  const extra = Object.keys(requestedSchema).find((key) => !SCHEMA.has(key))
  if (extra !== undefined) return `its form has "${extra}"`
  const { properties = {}, required = [] } = requestedSchema
  if (!isFields(properties) || !Array.isArray(required)) return 'its form cannot be read'
  const entries = Object.entries(properties)
  const secret = entries.find((entry) => entry.some((one) => asksForSecret(one)))
  if (secret) return `its field "${cleanLine(secret[0])}" cannot be asked: it asks for a secret`
  const schema = schemaOf(properties, required)
  const fields = readFields(entries, required)
  if (typeof fields === 'string' && !schema) return fields
  return {
    message: cleanLine(message),
    titles: entries.map(([name, field]) => titleOf(name, field as Fields)),
    schema,
    fields: typeof fields === 'string' ? undefined : fields,
  }
}

/** The form as a page shows it; undefined for one that has more in it, such as an e-mail address. */
function schemaOf(properties: Fields, required: readonly unknown[]): FormSchema | undefined {
  try {
    return readSchema({ type: 'object', properties, required })
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

function readFields(
  entries: ReadonlyArray<[string, unknown]>,
  required: readonly unknown[],
): FormField[] | string {
  if (entries.length > FIELDS_MAX) return `its form has more than ${FIELDS_MAX} fields`
  const fields: FormField[] = []
  for (const [name, schema] of entries) {
    const field = isFields(schema) ? readField(name, schema, required.includes(name)) : 'no object'
    if (typeof field === 'string') return `its field "${cleanLine(name)}" cannot be asked: ${field}`
    fields.push(field)
  }
  return fields
}

function asksForSecret(one: unknown): boolean {
  return SECRET.test(typeof one === 'string' ? one : isFields(one) ? String(one.title ?? '') : '')
}

function titleOf(name: string, { title }: Fields): string {
  return cleanLine(typeof title === 'string' ? title : name)
}

function readField(name: string, schema: Fields, isRequired: boolean): FormField | string {
  const title = titleOf(name, schema)
  const description = typeof schema.description === 'string' ? cleanLine(schema.description) : ''
  if (title === '' || codePoints(title) > QUESTION_MAX) return 'its title cannot be shown'
  const reader = readerOf(schema)
  if (typeof reader === 'string') return reader
  const { labels, picksSeveral, read } = reader
  const choices = labels && (isRequired ? labels : [...labels, LEAVE_OUT])
  const hint = choices || isRequired ? '' : `Answer ${LEAVE_OUT_TEXT} to leave it out.`
  const context = [description, reader.words, hint].filter(Boolean).join(' ')
  if (codePoints(context) > CONTEXT_MAX) return 'its description cannot be shown whole'
  if (choices && !areChoices(choices, picksSeveral ? PICKED_MAX : CHOICES_MAX))
    return 'its choices are too few, too many, too long or alike'
  const ask = {
    ...askFor(title, choices, picksSeveral),
    ...(context === '' ? {} : { context }),
  }
  return { name, ask, read: isRequired ? read : orLeftOut(read) }
}

function askFor(
  question: string,
  choices: readonly string[] | undefined,
  picksSeveral: boolean,
): FieldQuestion {
  if (!choices) return { question, type: 'input' }
  if (!picksSeveral) return { question, type: 'select', options: [...choices] }
  const options = choices.map((label) => ({ label }))
  return { question, questions: [{ question, multiSelect: true, options }] }
}

function areChoices(choices: readonly string[], most: number): boolean {
  const labels = new Set(choices.map(cleanLine))
  const fit = choices.every((label) => cleanLine(label) !== '' && codePoints(label) <= LABEL_MAX)
  return fit && labels.size === choices.length && choices.length >= 2 && choices.length <= most
}

function orLeftOut(read: Reader): Reader {
  return (answer) =>
    answer === LEAVE_OUT || answer.trim() === LEAVE_OUT_TEXT ? { is: 'left_out' } : read(answer)
}
