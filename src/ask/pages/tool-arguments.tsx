/** @jsxImportSource preact */

import { ActionBody } from './action-body.tsx'
import { MarkedCommand, Prose } from './marked.tsx'
import type { Values } from './renderings/rendering.ts'
import { type Part, partsOf } from './renderings/renderings.ts'

/**
 * The arguments of a tool that is no shell, whole; undefined if the texts of the question do not
 * show all of them as JSON.
 */
export function argumentsOf(detail: {
  toolName?: string
  action?: string
  actionBody?: string
}): Values | undefined {
  const { toolName, action, actionBody } = detail
  if (toolName === undefined || !action?.startsWith(`${toolName} `)) return undefined
  return readValues(actionBody ?? action.slice(toolName.length + 1))
}

/** The members of an object; those of a list are named 1, 2 and so on. */
function readValues(text: string): Values | undefined {
  if (!/^[{[]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value))
      return Object.fromEntries(value.map((one, at) => [String(at + 1), one]))
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The arguments in one line, for a list: each with its name, text as it is. */
export function argumentsLine(values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ')
    .replace(/\s+/g, ' ')
}

const FILE = /^(?:~|\.{1,2})?\/[^\n]*$|^[A-Za-z]:[\\/][^\n]*$|^[\w.@-]+(?:\/[\w.@-]+)+$/

type Props = {
  values: Values
  /** All of it as it is sent, to unfold below what is shown in another way. */
  body?: string | undefined
}

/** The arguments as people read them, row by row; what no rendering takes is text as it is. */
export function ToolArguments({ values, body }: Props) {
  const parts = partsOf(values)
  if (parts.length === 0) return <p class="soft">It is given no arguments.</p>
  const isOther = parts.some(({ by }) => by !== undefined)
  return (
    <>
      <dl class="facts arguments" aria-label="Arguments">
        {parts.map((part) => (
          <Row part={part} values={values} />
        ))}
      </dl>
      {isOther && body && <ActionBody text={body} shell={false} title="As it is sent" />}
    </>
  )
}

function Row({ part: { names, by }, values }: { part: Part; values: Values }) {
  const [name = ''] = names
  const value = values[name]
  const isFile = by === undefined && typeof value === 'string' && FILE.test(value)
  return (
    <div>
      <dt>
        <Prose text={by?.title ?? names.join(', ')} /> {isFile && <span class="chip">file</span>}
      </dt>
      <dd>{by ? <by.Show values={values} names={names} /> : <Text value={value} />}</dd>
    </div>
  )
}

function Text({ value }: { value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text === '') return <i class="soft">empty</i>
  return (
    <code>
      <MarkedCommand text={text} />
    </code>
  )
}
