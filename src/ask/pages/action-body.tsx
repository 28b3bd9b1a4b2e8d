/** @jsxImportSource preact */
import { Code } from '../../platform/web/code.tsx'
import { Icon } from '../../platform/web/icon.tsx'
import { diffIn, type FileChange, type ShownLine, withoutPluses, wordsOf } from './change.ts'
import { type Mark, Marked, marksOf } from './marked.tsx'

/** The full command or diff, open and whole: by file, numbered, with what is dangerous marked. */
export function ActionBody({ text: body }: { text: string }) {
  const text = body.replace(/\n+$/, '')
  const change = diffIn(text)
  // An added line would run as it reads without its sign.
  const marks = marksOf(change ? withoutPluses(text) : text)
  return (
    <details class="body" open>
      <summary>
        <Icon name="chevron" />
        {change ? 'The change' : 'The full command'}{' '}
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
        change.map((file) => <File file={file} marks={marks} />)
      ) : (
        <Code class="code lines" name="The full text">
          {linesOf(text).map((line) => (
            <Line line={line} marks={marks} />
          ))}
        </Code>
      )}
    </details>
  )
}

/** The lines of a command; one alone needs no number. */
function linesOf(text: string): ShownLine[] {
  const lines = text.split('\n')
  let from = 0
  return lines.map((line, at) => {
    const number = lines.length > 1 ? at + 1 : undefined
    const shown = { text: line, from, kind: 'same', number } as const
    from += line.length + 1
    return shown
  })
}

function File({ file, marks }: { file: FileChange; marks: Mark[] }) {
  const { name, added, removed, lines } = file
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
      <Code class="code lines diff" name={name ? `Changes of ${name}` : 'The full text'}>
        {lines.map((line) => (
          <Line line={line} marks={marks} />
        ))}
      </Code>
    </>
  )
}

function Line({ line, marks }: { line: ShownLine; marks: Mark[] }) {
  const { text, from, kind, number, isRepeat } = line
  const look = kind === 'same' ? 'line' : `line ${kind}`
  return (
    <span class={isRepeat ? `${look} repeat` : look} data-n={number}>
      <Marked text={text} marks={marks} from={from} />
      {'\n'}
    </span>
  )
}
