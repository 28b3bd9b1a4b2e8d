import { Failure, type WrongField } from '../../../platform/failure.ts'
import { shape } from '../../../platform/schema.ts'
import { field } from '../../../platform/web/form.ts'
import { readDraft } from '../../pages/read-fields.ts'
import { topicAddress } from '../ntfy-topic.ts'
import { SubscribeInput } from '../subscribe-fields.ts'
import type { TopicDraft } from './new-topic.tsx'
import { readNewTargets, wrongTargets } from './target-form.ts'

const subscribeInput = shape(SubscribeInput)

/** The form as what REST would be told. Throws `invalid_input`. */
export function readTopicForm(form: URLSearchParams): SubscribeInput {
  const optional = ['label', 'accessToken', 'username', 'password'] as const
  const given = optional.map((name) => [name, field(form, name)]).filter(([, text]) => text)
  return subscribeInput.parse({
    ...{ kind: 'phone', transport: 'ntfy', endpoint: topicAddress(field(form, 'address')) },
    ...Object.fromEntries(given),
    ...readNewTargets(form),
  })
}

const NAMES: Record<string, string> = {
  endpoint: 'The address',
  label: 'The name',
  accessToken: 'The access token',
  username: 'The user name',
  password: 'The password',
}

/** What the form comes back with; anything but wrong fields is thrown on. */
export function topicDraft(form: URLSearchParams, error: unknown): TopicDraft {
  if (!(error instanceof Failure) || error.code !== 'invalid_input') throw error
  const isTarget = ({ field: place }: WrongField) => /^(tags|externalId)/.test(place)
  const said = error.fields
    .filter((wrong) => !isTarget(wrong))
    .map((wrong) => `${NAMES[wrong.field] ?? wrong.field} ${wrong.must}.`)
  return {
    draft: readDraft(form, ['address', 'label', 'tags', 'externalId']),
    problem: said.join(' '),
    wrong: wrongTargets(error.fields.filter(isTarget)),
  }
}
