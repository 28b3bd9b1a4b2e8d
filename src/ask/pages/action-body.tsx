/** @jsxImportSource preact */

import { Icon } from '../../platform/web/icon.tsx'
import { Code } from '../../platform/web/page-parts.tsx'
import { dangersOfChange } from '../wire/danger/destructive.ts'
import { diffIn, type ShownFile, type ShownLine, withoutPluses, wordsOf } from './change.ts'
import { type Mark, Marked, marksOf } from './marked.tsx'
import { byLine, type Colour, changeColours, coloursIn, languageOf } from './syntax/colours.ts'
import { shellColours } from './syntax/shell.ts'

type Props = {
  text: string
  /** A text that is not a change is a command of the shell, rather than what a tool is given. */
  shell: boolean
  /** The file that is changed, if the change does not say. */
  path?: string | undefined
  /** Of a text that is shown above in another way: it is folded, with this heading. */
  title?: string
}

/** The full command or diff, open and whole: by file, numbered, with what is dangerous marked. */
export function ActionBody({ text: body, shell, path, title }: Props) {
  const text = body.replace(/\n+$/, '')
  const change = diffIn(text)
  // An added line runs without its sign.
  const read = change ? withoutPluses(text) : text
  const marks =
    change && !shell && path !== undefined ? marksOf(read, dangersOfChange(read)) : marksOf(read)
  return (
    <details class="body" open={title === undefined}>
      <summary>
        <Icon name="chevron" />
        {title ?? (change ? 'The change' : 'The full command')}{' '}
        <span class="count">{wordsOf(text, change)}</span>
      </summary>
      <div class="tools" hidden data-enhance>
        <button type="button" class="small" data-wrap aria-pressed="true">
          Wrap
        </button>
        <button type="button" class="small" data-copy>
          <Icon name="copy" />
          <span>Copy</span>
        </button>
      </div>
      {change ? (
        change.map((file) => <File file={file} marks={marks} path={path} />)
      ) : (
        <Text text={text} marks={marks} shell={shell} />
      )}
    </details>
  )
}

function Text({ text, marks, shell }: { text: string; marks: Mark[]; shell: boolean }) {
  const colours = shell ? shellColours(text) : dataColours(text)
  return <CodeLines name="The full text" {...{ text, marks, colours }} flags={shell} />
}

type CodeLinesProps = {
  name: string
  text: string
  marks?: Mark[]
  colours: readonly Colour[]
  flags?: boolean
}

/** A text with its lines, coloured, with what is dangerous or deceives in it marked. */
export function CodeLines({ name, text, marks, colours, flags = false }: CodeLinesProps) {
  const ofLines = byLine(text, colours)
  const marked = marks ?? marksOf(text)
  return (
    <Code class="code lines" name={name}>
      {linesOf(text).map((line, at) => (
        <Line line={line} marks={marked} colours={ofLines[at]} flags={flags} />
      ))}
    </Code>
  )
}

/** Colours the arguments of a tool as JSON, if they are not one text. */
function dataColours(text: string): Colour[] {
  const language = /^[[{]/.test(text) ? languageOf('a.json') : undefined
  return language ? coloursIn(text, language) : []
}

/** The lines of a command; one alone needs no number. */
function linesOf(text: string): ShownLine[] {
  const lines = text.split('\n')
  let from = 0
  return lines.map((line, at) => {
    const number = lines.length > 1 ? at + 1 : undefined
    const part = { text: line, from, kind: 'same', number } as const
    from += line.length + 1
    return part
  })
}

type FileProps = { file: ShownFile; marks: Mark[]; path: string | undefined }

function File({ file, marks, path }: FileProps) {
  const { name, added, removed, lines } = file
  const coloured = changeColours(file, path)
  return (
    <>
      {name && (
        <p class="file-head">
          <code>
            <bdi>{name}</bdi>
          </code>
          <span class="count">
            +{added} −{removed}
          </span>
        </p>
      )}
      <Code
        class={coloured.size > 0 ? 'code lines coloured' : 'code lines'}
        name={name ? `Changes of ${name}` : 'The full text'}
      >
        {lines.map((line) => (
          <Line line={line} marks={marks} colours={coloured.get(line)} />
        ))}
      </Code>
    </>
  )
}

type LineProps = {
  line: ShownLine
  marks: Mark[]
  colours: Colour[] | undefined
  flags?: boolean
}

function Line({ line, marks, colours = [], flags = false }: LineProps) {
  const { text, from, kind, number, isRepeat } = line
  const look = kind === 'same' ? 'line' : `line ${kind}`
  return (
    <span class={isRepeat ? `${look} repeat` : look} data-n={number}>
      <Marked text={text} marks={marks} from={from} colours={colours} flags={flags} />
      {'\n'}
    </span>
  )
}
