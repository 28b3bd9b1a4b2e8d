/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

/** What was typed, field by field; it comes back with the page when something is wrong. */
export type Draft = Readonly<Record<string, string>>
/** What is wrong with it, field by field, in a sentence. */
export type Wrong = ReadonlyMap<string, string>

type Props = {
  name: string
  label: string
  draft: Draft
  wrong: Wrong
  /** A sentence under the label. */
  children?: ComponentChildren
  type?: 'text' | 'number' | 'time'
  placeholder?: string
  min?: number
  max?: number
  maxLength?: number
  /** What the browser offers. */
  offers?: readonly string[]
}

/** One field with its name, what it means, and what is wrong with it. */
export function FormField(props: Props) {
  const { name, label, draft, wrong, children, type = 'text', offers = [], ...limits } = props
  const problem = wrong.get(name)
  const about = [children && `${name}-rule`, problem && `${name}-wrong`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children && (
        <p class="rule" id={`${name}-rule`}>
          {children}
        </p>
      )}
      <input
        id={name}
        name={name}
        type={type}
        value={draft[name] ?? ''}
        {...limits}
        step={type === 'number' ? 'any' : undefined}
        autocomplete="off"
        list={offers.length > 0 ? `${name}-offers` : undefined}
        aria-describedby={about || undefined}
        aria-invalid={problem ? 'true' : undefined}
      />
      {offers.length > 0 && (
        <datalist id={`${name}-offers`}>
          {offers.map((offer) => (
            <option value={offer} />
          ))}
        </datalist>
      )}
      <FieldProblem name={name} wrong={wrong} />
    </div>
  )
}

/** Under the field `name`: what is wrong with it, if anything; the field names it as `NAME-wrong`. */
export function FieldProblem({ name, wrong }: { name: string; wrong: Wrong }) {
  const problem = wrong.get(name)
  if (!problem) return null
  return (
    <p class="wrong" id={`${name}-wrong`}>
      <Icon name="warning" />
      {problem}
    </p>
  )
}

/** Above a form that came back: that nothing was saved, with the way to each field. */
export function WrongFields({ wrong, labels }: { wrong: Wrong; labels: Record<string, string> }) {
  if (wrong.size === 0) return null
  return (
    <div class="problem" role="alert">
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
