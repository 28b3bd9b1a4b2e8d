/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { Icon } from '../../../platform/web/icon.tsx'
import { CopyButton } from '../../../platform/web/page-parts.tsx'
import { outside } from '../../page-paths.ts'
import { dayWords } from '../words.ts'

/** A part of a data sheet with its own anchor. */
export function SheetSection(props: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section class="part" id={props.id} aria-labelledby={`${props.id}-title`}>
      <h2 id={`${props.id}-title`}>{props.title}</h2>
      {props.children}
    </section>
  )
}

/** A link to another site; plain text if the address is not safe to follow. */
export function ExternalLink(props: { to: string | undefined; children: ComponentChildren }) {
  const to = outside(props.to)
  if (!to) return <>{props.children}</>
  return (
    <a class="out" href={to} rel="nofollow noopener">
      {props.children}
      <Icon name="out" />
    </a>
  )
}

/** The source of a fact, shown by its host. */
export function SourceLink({ to, name }: { to: string | undefined; name?: string }) {
  if (!to) return null
  return <ExternalLink to={to}>{name ?? hostOf(to)}</ExternalLink>
}

export function hostOf(address: string): string {
  return URL.parse(address)?.host.replace(/^www\./, '') || address.replace(/^file:/, '')
}

export function Day({ day }: { day: string }) {
  return <time dateTime={day}>{dayWords(day)}</time>
}

/** A label and its value; nothing without a value. */
export function FactRow(props: { name: string; children?: ComponentChildren }) {
  const { name, children } = props
  if (children === undefined || children === null || children === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}

/** Monospace text to copy. Long lines scroll, so it can be focused with the keyboard. */
export function CodeSample({ name, text }: { name: string; text: string }) {
  return (
    <div class="sample" data-copy-from>
      <div class="sample-head">
        <h3>{name}</h3>
        <CopyButton />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a section cannot be preformatted text. */}
      <pre class="code" role="group" tabIndex={0} aria-label={name}>
        {text}
      </pre>
    </div>
  )
}

/** The head of a table. */
export function Columns({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th scope="col">{name}</th>
        ))}
      </tr>
    </thead>
  )
}
