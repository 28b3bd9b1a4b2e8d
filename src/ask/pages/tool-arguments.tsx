/** @jsxImportSource preact */

import { MarkedCommand, Prose } from './marked.tsx'

type ToolArgument = { name: string; text: string; kind: 'file' | 'address' | undefined }

/**
 * The arguments of a tool that is no shell, whole; undefined if the texts of the question do not
 * show all of them as JSON.
 */
export function argumentsOf(detail: {
  toolName?: string
  action?: string
  actionBody?: string
}): ToolArgument[] | undefined {
  const { toolName, action, actionBody } = detail
  if (toolName === undefined || !action?.startsWith(`${toolName} `)) return undefined
  const fields = readObject(actionBody ?? action.slice(toolName.length + 1))
  return (
    fields &&
    Object.entries(fields).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
      return { name, text, kind: typeof value === 'string' ? kindOf(value) : undefined }
    })
  )
}

function readObject(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const ADDRESS = /^[a-z][a-z0-9+.-]{1,20}:\/\/\S+$/i
const FILE = /^(?:~|\.{1,2})?\/[^\n]*$|^[A-Za-z]:[\\/][^\n]*$|^[\w.@-]+(?:\/[\w.@-]+)+$/

function kindOf(text: string): ToolArgument['kind'] {
  if (ADDRESS.test(text)) return 'address'
  return FILE.test(text) ? 'file' : undefined
}

/** The arguments as a table: a row each, text as it is, files and addresses with their kind. */
export function ToolArguments({ values }: { values: readonly ToolArgument[] }) {
  if (values.length === 0) return <p class="soft">It is given no arguments.</p>
  return (
    <dl class="facts arguments" aria-label="Arguments">
      {values.map(({ name, text, kind }) => (
        <div>
          <dt>
            <Prose text={name} /> {kind && <span class="chip">{kind}</span>}
          </dt>
          <dd>
            <code>{text === '' ? <i class="soft">empty</i> : <MarkedCommand text={text} />}</code>
          </dd>
        </div>
      ))}
    </dl>
  )
}
