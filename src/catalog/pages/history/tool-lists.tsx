/** @jsxImportSource preact */
import { cleanLine } from '../../../platform/text.ts'
import type { ToolHistory } from '../../records/history.ts'
import type { ToolChange, ToolPart } from '../../records/tool-changes.ts'
import { Columns, Day, SheetSection } from '../parts/section.tsx'
import { number, plural } from '../words.ts'

// A page stays small; the rest stands in the JSON.
const LISTS_MAX = 20
const CHANGES_MAX = 20
const PARTS_MAX = 6
const TEXT_MAX = 80

/** How the list of tools of an MCP server changed, and whether calls break. */
export function ToolLists({ history }: { history: ToolHistory }) {
  const { tools, toolLists } = history
  const [first] = toolLists
  const changed = toolLists.filter(({ changes }) => changes.length > 0)
  if (!first) return null
  const visible = changed.slice(-LISTS_MAX).toReversed()
  return (
    <SheetSection id="tools" title="Tools it offers to agents">
      <p class="soft">
        {plural(tools.length, 'tool')} now. Its list is read every six hours, since{' '}
        <Day day={first.at.slice(0, 10)} />.
      </p>
      {changed.length === 0 && <p>Nothing in it changed since then.</p>}
      {changed.length > 0 && (
        <table class="plain">
          <Columns names={['Tool', 'What changed']} />
          {visible.map(({ at, changes }) => (
            <tbody>
              {changes.slice(0, CHANGES_MAX).map((change) => (
                <tr>
                  <th scope="row">
                    <code dir="auto">{cleanLine(change.tool)}</code>
                    <small>
                      <Day day={at.slice(0, 10)} />
                    </small>
                  </th>
                  <td dir="auto">
                    <Effect change={change} />
                    {change.parts.length > 0 && (
                      <ul class="bullets">
                        {change.parts.slice(0, PARTS_MAX).map((part) => (
                          <li>{partWords(part)}</li>
                        ))}
                      </ul>
                    )}
                    <More count={change.parts.length - PARTS_MAX + (change.more ?? 0)} />
                  </td>
                </tr>
              ))}
              {changes.length > CHANGES_MAX && (
                <tr>
                  <td colSpan={2}>
                    <More count={changes.length - CHANGES_MAX} />
                  </td>
                </tr>
              )}
            </tbody>
          ))}
        </table>
      )}
    </SheetSection>
  )
}

function More({ count }: { count: number }) {
  return count > 0 ? <p class="soft">{number(count)} more stand in the JSON.</p> : null
}

const KINDS: Record<string, string> = { came: 'New', went: 'Removed', changed: 'Changed' }

/** What happened, and whether it breaks calls: in words, not in colour alone. */
function Effect({ change: { kind, breaking } }: { change: ToolChange }) {
  if (kind === 'came') return <b>New</b>
  const effect =
    breaking === null ? 'may break calls' : breaking ? 'breaks calls' : 'breaks no call'
  return (
    <>
      <b>{KINDS[kind] ?? cleanLine(kind)}</b>:{' '}
      <span class={breaking ? 'kind k-breaking' : 'soft'}>{effect}</span>
    </>
  )
}

/** One difference in a sentence. */
function partWords({ what, of, path, before, after }: ToolPart): string {
  const place = path === undefined ? (WHOLE[of ?? ''] ?? 'it') : `${of ?? 'part'} ${path}`
  if (what === 'came') return `${place} is new${after === 'required' ? ' and required' : ''}`
  if (what === 'went') return `${place} is gone`
  if (what === 'required') return `${place} is required now`
  if (what === 'optional') return `${place} may be left out now`
  if (what === 'words') return `${place} is described differently`
  const name = NAMES[what] ?? what
  const subject = of === undefined ? name : `${name} of ${place}`
  return `${subject}: ${short(before)} → ${short(after)}`
}

const WHOLE: Record<string, string> = { parameter: 'its parameters', result: 'its result' }
const NAMES: Record<string, string> = {
  type: 'type',
  values: 'allowed values',
  limits: 'limits',
  title: 'title',
  description: 'description',
  annotations: 'hints',
  output: 'result',
}

function short(text: string | undefined): string {
  const line = cleanLine(text ?? '')
  if (line === '') return 'none'
  return line.length > TEXT_MAX ? `${line.slice(0, TEXT_MAX - 1)}…` : line
}
