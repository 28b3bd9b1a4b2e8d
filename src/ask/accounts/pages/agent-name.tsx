/** @jsxImportSource preact */
import { Prose } from '../../pages/marked.tsx'
import type { Question } from '../../questions/model/question.ts'

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

/** Who and where, as the two parts of a name. */
export function splitName(name: string | undefined): [string, string | undefined] {
  if (!name) return ['An agent', undefined]
  const at = name.indexOf(' - ')
  if (at < 1) return [name, undefined]
  return [name.slice(0, at), name.slice(at + 3).trim() || undefined]
}

// Longer questions in the largest size would fill the whole screen of a phone.
const LONG_CHARS = 140

/** Whether a question is shown one size smaller. */
export function isLong({ question }: Question): boolean {
  return question.length > LONG_CHARS
}

/** Whether a yes allows an action, rather than answering a plain question. */
export function isApproval({ type, detail, origin }: Question): boolean {
  if (type !== 'confirm') return false
  return (
    origin === 'scope' ||
    Boolean(detail.action ?? detail.actionBody ?? detail.toolName ?? detail.scopePath)
  )
}
