/** @jsxImportSource preact */
import { Code } from '../../platform/web/code.tsx'
import { Icon } from '../../platform/web/icon.tsx'

const FOLD_OVER_LINES = 12
const REDACTED = /(▇▇▇+(?:\s?[[(][^\])\n]{1,80}[\])])?)/u

/** The full command or diff: folded if long, lines marked by sign and colour, secrets as bars. */
export function ActionBody({ text }: { text: string }) {
  const lines = text.replace(/\n+$/, '').split('\n')
  const diff = isDiff(lines)
  const block = (
    <Code class={diff ? 'code diff' : 'code'} name="The full text">
      {lines.map((line) => (
        <Line text={line} diff={diff} />
      ))}
    </Code>
  )
  const name = diff ? 'The change' : 'The full command'
  const count = lines.length === 1 ? '1 line' : `${lines.length} lines`
  return (
    <details class="body" open={lines.length <= FOLD_OVER_LINES}>
      <summary>
        <Icon name="chevron" />
        {name} <span class="count">{count}</span>
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
      {block}
    </details>
  )
}

function Line({ text, diff }: { text: string; diff: boolean }) {
  return (
    <span class={diff ? lineKind(text) : undefined}>
      <Redacted text={text} />
      {'\n'}
    </span>
  )
}

/** Text with its redactions shown as bars, each with the reason beside it. */
export function Redacted({ text }: { text: string }) {
  const parts = text.split(REDACTED)
  return <>{parts.map((part, i) => (i % 2 === 1 ? <span class="redacted">{part}</span> : part))}</>
}

function isDiff(lines: string[]): boolean {
  if (lines.some((line) => /^(@@ |diff --git |\+\+\+ |--- )/.test(line))) return true
  const signed = lines.filter((line) => /^[+-](\s|\S)/.test(line)).length
  return signed >= 2 && signed * 2 >= lines.length
}

function lineKind(line: string): string | undefined {
  if (/^(@@|diff |index |\+\+\+|---)/.test(line)) return 'meta'
  if (line.startsWith('+')) return 'add'
  return line.startsWith('-') ? 'del' : undefined
}
