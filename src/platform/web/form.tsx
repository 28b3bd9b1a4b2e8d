/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import { Failure } from '../failure.ts'
import { readText } from '../http/request.ts'
import { Icon } from './icon.tsx'

/** The typed input, by field; shown again when something is wrong. */
export type Draft = Readonly<Record<string, string>>
/** The errors, by field, each in a sentence. */
export type Wrong = ReadonlyMap<string, string>

const FINE: Wrong = new Map()

type FrameProps = {
  name: string
  /** The id, if several forms of a page have a field with this name. */
  id?: string | undefined
  label: string
  /** A sentence under the label. */
  rule?: ComponentChildren
  /** Puts the sentence under the control. */
  ruleBelow?: boolean | undefined
  wrong?: Wrong
  /** The control, which takes these attributes. */
  children: (attributes: ControlAttributes) => ComponentChildren
}

type ControlAttributes = {
  id: string
  name: string
  'aria-describedby': string | undefined
  'aria-invalid': 'true' | undefined
}

/** A control with its label, what it means, and what is wrong with it. */
export function FieldFrame(props: FrameProps) {
  const { name, id = name, label, rule, ruleBelow = false, wrong = FINE, children } = props
  const isWrong = wrong.has(name)
  const about = [rule && `${id}-rule`, isWrong && `${id}-wrong`].filter(Boolean).join(' ')
  const sentence = rule && (
    <p class="rule" id={`${id}-rule`}>
      {rule}
    </p>
  )
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {!ruleBelow && sentence}
      {children({
        id,
        name,
        'aria-describedby': about || undefined,
        'aria-invalid': isWrong ? 'true' : undefined,
      })}
      {ruleBelow && sentence}
      <FieldProblem name={name} id={id} wrong={wrong} />
    </div>
  )
}

type Props = Omit<FrameProps, 'rule' | 'children'> & {
  /** The text to show; a password is never shown again. */
  draft?: Draft
  /** A sentence under the label. */
  children?: ComponentChildren
  type?: 'text' | 'number' | 'date' | 'time' | 'email' | 'password'
  required?: boolean
  placeholder?: string
  min?: number
  max?: number
  minLength?: number
  maxLength?: number
  autocomplete?: string
  autocapitalize?: 'none'
  spellcheck?: boolean
  /** Suggestions that the browser offers. */
  offers?: readonly string[]
}

/** One line of text, a number, a date or a time, with its label, what it means, and what is wrong. */
export function FormField(props: Props) {
  const { name, id = name, label, ruleBelow, draft = {}, wrong = FINE, children, ...more } = props
  const { type = 'text', autocomplete = 'off', offers = [], ...limits } = more
  return (
    <FieldFrame {...{ name, id, label, ruleBelow, wrong }} rule={children}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            type={type}
            value={type === 'password' ? undefined : (draft[name] ?? '')}
            {...limits}
            step={type === 'number' ? 'any' : undefined}
            autocomplete={autocomplete}
            list={offers.length > 0 ? `${id}-offers` : undefined}
          />
          {offers.length > 0 && (
            <datalist id={`${id}-offers`}>
              {offers.map((offer) => (
                <option value={offer} />
              ))}
            </datalist>
          )}
        </>
      )}
    </FieldFrame>
  )
}

/** The error under the field `name`, if there is one; the field refers to it as `ID-wrong`. */
export function FieldProblem(props: { name: string; id?: string; wrong: Wrong }) {
  const { name, id = name, wrong } = props
  const problem = wrong.get(name)
  if (!problem) return null
  return (
    <p class="wrong" id={`${id}-wrong`}>
      <Icon name="warning" />
      {problem}
    </p>
  )
}

/**
 * The attributes of a fieldset that may be wrong: links lead to it, and what is wrong is read with its
 * name.
 */
export function groupAttributes(name: string, wrong: Wrong) {
  const about = wrong.has(name) ? `${name}-wrong` : undefined
  return { id: name, tabIndex: -1, 'aria-describedby': about }
}

/**
 * Above a form that is shown again: says that nothing was saved, with a link to each wrong field. It
 * has the focus, as a page that has just been opened reads no alert.
 */
export function WrongFields({ wrong, labels }: { wrong: Wrong; labels: Record<string, string> }) {
  if (wrong.size === 0) return null
  return (
    <div class="problem" role="alert" tabIndex={-1} autofocus>
      <Icon name="warning" />
      <div>
        <p>Nothing was saved.</p>
        <ul>
          {[...wrong].map(([name, sentence]) => (
            <li>
              <a href={`#${name}`}>{labels[name] ?? name}</a>: {sentence}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

type ProblemProps = { children?: ComponentChildren; id?: string; hidden?: boolean }

/** An error in a sentence that is read out; a script may fill in and show a hidden one. */
export function Problem({ children, id, hidden }: ProblemProps) {
  return (
    <p class="problem" role="alert" id={id} hidden={hidden}>
      <Icon name="warning" />
      <span>{children}</span>
    </p>
  )
}

/**
 * The fields of a posted form. Even the longest answer and note, with each character as %XX%XX%XX,
 * stay far below the size of a large body. Throws `too_large`, `unsupported_media_type`.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('application/x-www-form-urlencoded')) {
    throw new Failure(
      'unsupported_media_type',
      'This address only accepts the form of its page. Open the page and send it from there.',
    )
  }
  return new URLSearchParams(await readText(request, tooLarge))
}

function tooLarge(): never {
  throw new Failure('too_large', 'The form is too large. Shorten the text and send it again.')
}

/** One field, trimmed; empty when it is missing. */
export function formField(form: URLSearchParams, name: string): string {
  return form.get(name)?.trim() ?? ''
}
