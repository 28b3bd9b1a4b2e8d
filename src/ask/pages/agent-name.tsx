/** @jsxImportSource preact */
import { Prose } from './marked.tsx'

/** Shows `Claude Code - shop-api` as who and where. */
export function AgentName({ name }: { name: string | undefined }) {
  const [agent, project] = splitName(name)
  return (
    <span class="agent">
      <b>
        <Prose text={agent} />
      </b>
      {project && (
        <span class="project">
          <Prose text={project} />
        </span>
      )}
    </span>
  )
}

/** Splits a name into who and where. */
export function splitName(name: string | undefined): [string, string | undefined] {
  if (!name) return ['An agent', undefined]
  const at = name.indexOf(' - ')
  if (at < 1) return [name, undefined]
  return [name.slice(0, at), name.slice(at + 3).trim() || undefined]
}
