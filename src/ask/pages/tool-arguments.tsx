/** @jsxImportSource preact */

import { ActionBody } from './action-body.tsx'
import { MarkedCommand, Prose } from './marked.tsx'
import type { Values } from './renderings/rendering.ts'
import { type Part, partsOf } from './renderings/renderings.ts'

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
