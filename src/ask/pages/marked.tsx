/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { BARS } from '../../platform/redact/bar.ts'
import { dangersOfAction } from '../wire/danger/destructive.ts'
import { deceptiveLetters } from '../wire/letters.ts'
import type { Colour } from './syntax/colours.ts'
import { shellLineColours } from './syntax/shell.ts'

/**
 * A part of a text that stands out, in UTF-16 units: what is dangerous, what was hidden, or a letter
 * that deceives, with its name.
 */
export type Mark =
  | { from: number; to: number; is: 'danger' | 'redacted' }
  | { from: number; to: number; is: 'letter'; name: string }

const HIDDEN = 'hidden: looked like a secret'

/**
 * The marks of a command or a diff in its order; none overlaps another. `found`: its dangers, if
 * they are known.
 */
export function marksOf(text: string, dangersInText = dangersOfAction(text)): Mark[] {
  const bars = [...redactionsOf(text), ...letterMarks(text, 'command')]
  const dangers = dangersInText
    .flatMap(({ all }) => all)
    .map(([from, to]): Mark => ({ from, to, is: 'danger' }))
    .flatMap((danger) => without(danger, bars))
  const marks = [...bars, ...dangers].sort((a, b) => a.from - b.from || b.to - a.to)
  let end = 0
  const apart: Mark[] = []
  for (const mark of marks) {
    const from = Math.max(mark.from, end)
    if (from >= mark.to) continue
    const before = apart.at(-1)
    // The words of one command are one mark.
    const isNext = before?.is === mark.is && /^[^\S\n]*$/.test(text.slice(end, from))
    if (before && isNext && mark.is !== 'letter') before.to = mark.to
    else apart.push({ ...mark, from })
    end = mark.to
  }
  return apart
}

function redactionsOf(text: string): Mark[] {
  return [...text.matchAll(BARS)].map(({ index, 0: bar }) => ({
    from: index,
    to: index + bar.length,
    is: 'redacted',
  }))
}

function letterMarks(text: string, kind: 'command' | 'prose'): Mark[] {
  return deceptiveLetters(text, kind).map(({ at: [from, to], name }) => {
    return { from, to, is: 'letter', name }
  })
}

/** The parts of a mark that no bar covers. */
function without(mark: Mark, bars: Mark[]): Mark[] {
  let rest = [mark]
  for (const bar of bars) {
    rest = rest.flatMap((part) => {
      if (bar.to <= part.from || bar.from >= part.to) return [part]
      return [
        { ...part, to: bar.from },
        { ...part, from: bar.to },
      ].filter(({ from, to }) => from < to)
    })
  }
  return rest
}

type MarkedProps = {
  text: string
  marks: Mark[]
  from?: number
  colours?: readonly Colour[]
  /** Its flags do not break after a hyphen. */
  flags?: boolean
}

/**
 * Shows `text` with its marks and colours. It begins at `from` in the text that the marks refer to;
 * `colours` refer to `text` itself. A mark has no other colours in it.
 */
export function Marked({ text, marks, from = 0, colours = [], flags = false }: MarkedProps) {
  const show = flags ? unbroken : (part: string) => [part]
  const parts: ComponentChildren[] = []
  let at = 0
  for (const mark of marks) {
    const [first, last] = [Math.max(0, mark.from - from), Math.min(text.length, mark.to - from)]
    if (first >= last) continue
    parts.push(...coloured(text, [at, first], { colours, show }))
    parts.push(<Part text={text.slice(first, last)} mark={mark} show={show} />)
    at = last
  }
  parts.push(...coloured(text, [at, text.length], { colours, show }))
  return <>{parts}</>
}

type Show = (text: string) => ComponentChildren[]

/** A part of a text with its colours. */
function coloured(
  text: string,
  [begin, end]: readonly [number, number],
  { colours, show }: { colours: readonly Colour[]; show: Show },
): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let at = begin
  for (const colour of colours) {
    const [from, to] = [Math.max(colour.from, at), Math.min(colour.to, end)]
    if (from >= to) continue
    parts.push(
      ...show(text.slice(at, from)),
      <span class={colour.is}>{show(text.slice(from, to))}</span>,
    )
    at = to
  }
  parts.push(...show(text.slice(at, end)))
  return parts
}

// A flag that follows a blank, a bracket, a quotation mark or nothing: `-f`, `--no-verify`.
const FLAG = /(?<![^\s=([{"'`])(?=--?[A-Za-z])[\w-]+/g
// A hyphen and what must follow it on its line; the rest of a long word may go to the next.
const HYPHENATED = /(-{1,2}\w{1,12})/

/** The text with the flags in it as parts that do not break after a hyphen. A copy has no more in it. */
function unbroken(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let at = 0
  for (const { index, 0: flag } of text.matchAll(FLAG)) {
    parts.push(text.slice(at, index))
    const pieces = flag.split(HYPHENATED)
    parts.push(...pieces.map((part, odd) => (odd % 2 ? <span class="flag">{part}</span> : part)))
    at = index + flag.length
  }
  parts.push(text.slice(at))
  return parts
}

function Part({ text, mark, show }: { text: string; mark: Mark; show: Show }) {
  if (mark.is === 'danger') return <mark class="danger">{show(text)}</mark>
  // The stylesheet shows the name, so that a copy has the letter alone.
  if (mark.is === 'letter') {
    return (
      <mark class="letter" data-name={mark.name}>
        {text}
      </mark>
    )
  }
  return (
    <span class="redacted" title={HIDDEN}>
      {text}
    </span>
  )
}

/** A command in one line: its redactions as bars, and what is dangerous in it. */
export function MarkedCommand({ text, shell = false }: { text: string; shell?: boolean }) {
  const colours = shell ? shellLineColours(text) : []
  return <Marked text={text} marks={marksOf(text)} colours={colours} flags />
}

/** The title of a question: its command as code, or its words. */
export function Title({
  title: { text, isCommand },
}: {
  title: { text: string; isCommand: boolean }
}) {
  if (!isCommand) return <SafeText text={text} />
  return (
    <code class="command" dir="ltr">
      <MarkedCommand text={text} />
    </code>
  )
}

const BETWEEN_BACKTICKS = /(`[^`\n]+`)/

/** Shows an agent's text exactly as written, with the words between backticks as code. */
export function SafeText({ text }: { text: string }) {
  const parts = text.split(BETWEEN_BACKTICKS)
  const words = parts.map((part) => <Prose text={part} />)
  return (
    <>
      {words.map((part, at) =>
        at % 2 === 1 ? (
          <code class="said" dir="ltr">
            {part}
          </code>
        ) : (
          part
        ),
      )}
    </>
  )
}

/** A text of an agent in which letters that deceive are marked. */
export function Prose({ text }: { text: string }) {
  return <Marked text={text} marks={letterMarks(text, 'prose')} flags />
}
