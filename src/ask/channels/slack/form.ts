import { whoAsks } from '../../questions/model/message-parts.ts'
import { ANSWER_MAX, NOTE_MAX, type Question } from '../../questions/model/question.ts'
import { questionTitle, wordsBesideTitle } from '../../questions/model/title.ts'
import { type Block, code, section } from './blocks.ts'
import { placeText, type SlackPlace } from './place.ts'
import { plainText } from './text.ts'

// Limits of Slack's modals, options and text inputs.
const TITLE_MAX = 24
const OPTION_MAX = 75
const PLACEHOLDER_MAX = 150
const TYPED_MAX = 3_000

/** Names the form in what Slack sends back. */
export const FORM_ID = 'beckon_answer'
const BLOCKS = { value: 'value', other: 'other', note: 'note' } as const
const FIELD = 'field'

/** The modal for what a button cannot say: several options, typed text, a note. */
export function answerModal(question: Question, place: SlackPlace): object {
  const { action } = question.detail
  const title = questionTitle(question)
  return {
    type: 'modal',
    callback_id: FORM_ID,
    private_metadata: placeText(place),
    title: plainText('Answer', TITLE_MAX),
    submit: plainText('Send answer', TITLE_MAX),
    close: plainText('Back', TITLE_MAX),
    blocks: [
      section(title.isCommand ? (wordsBesideTitle(question) ?? whoAsks(question)) : title.text),
      ...(action ? [code(action)] : []),
      ...valueFields(question),
      input(BLOCKS.note, 'Note for the agent', typed(NOTE_MAX), true),
    ],
  }
}

/** Replaces the form when it does not answer the question. */
export function closingModal(words: string): object {
  return {
    type: 'modal',
    title: plainText('Not answered', TITLE_MAX),
    close: plainText('Close', TITLE_MAX),
    blocks: [section(words)],
  }
}

function valueFields(question: Question): Block[] {
  const { type, choices, detail } = question
  if (type === 'input') {
    return [input(BLOCKS.value, 'Your answer', typed(TYPED_MAX, detail.placeholder), false)]
  }
  const offered = type === 'confirm' ? YES_NO : choices.map(asOption)
  const long = choices.filter(({ label }) => label.length > OPTION_MAX)
  const kind = detail.multiSelect ? 'checkboxes' : 'radio_buttons'
  const element = { type: kind, action_id: FIELD, options: offered }
  const other = detail.allowOther === true
  return [
    ...long.map(({ label }) => section(`• ${label}`)),
    input(BLOCKS.value, detail.header || 'Your answer', element, other),
    ...(other ? [input(BLOCKS.other, 'Or something else', typed(TYPED_MAX), true)] : []),
  ]
}

const YES_NO = [
  { text: plainText('Yes', OPTION_MAX), value: 'yes' },
  { text: plainText('No', OPTION_MAX), value: 'no' },
]

function asOption({ label, description }: Question['choices'][number], index: number) {
  return {
    text: plainText(label, OPTION_MAX),
    value: String(index),
    ...(description ? { description: plainText(description, OPTION_MAX) } : {}),
  }
}

function typed(most: number, placeholder?: string) {
  return {
    type: 'plain_text_input',
    action_id: FIELD,
    multiline: true,
    max_length: Math.min(most, TYPED_MAX, ANSWER_MAX),
    ...(placeholder ? { placeholder: plainText(placeholder, PLACEHOLDER_MAX) } : {}),
  }
}

function input(id: string, label: string, element: object, optional: boolean): Block {
  return { type: 'input', block_id: id, label: plainText(label, 200), element, optional }
}

/** The state of one field; only the part that fits its kind is set. */
type FieldState = {
  value?: string | null
  selected_option?: { value: string } | null
  selected_options?: Array<{ value: string }> | null
}
export type FormState = Record<string, Record<string, FieldState>>

/** The answer in a form as the question wants it; what it accepts is decided elsewhere. */
export function readFormState(
  { type, choices }: Question,
  state: FormState,
): { value: string | string[]; note: string | undefined } {
  const of = (id: string): FieldState => state[id]?.[FIELD] ?? {}
  const { value, selected_option: one, selected_options: several } = of(BLOCKS.value)
  const picked = [...(several ?? []), ...(one ? [one] : [])].map((option) => option.value)
  const labels = type === 'confirm' ? picked : picked.map((at) => choices[Number(at)]?.label ?? '')
  const other = of(BLOCKS.other).value?.trim()
  const all = [...labels, ...(other ? [other] : []), ...(type === 'input' && value ? [value] : [])]
  const [only] = all
  return {
    value: all.length === 1 && only !== undefined ? only : all,
    note: of(BLOCKS.note).value ?? undefined,
  }
}

/** Where the sentence about a wrong answer is shown. */
export const VALUE_BLOCK = BLOCKS.value
export const NOTE_BLOCK = BLOCKS.note
