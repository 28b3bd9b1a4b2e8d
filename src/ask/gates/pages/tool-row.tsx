/** @jsxImportSource preact */

import { cutText } from '../../../platform/text.ts'
import { Prose } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { ToolChanges } from '../../pages/tool-changes.tsx'
import { hintWords } from '../../pages/tool-words.ts'
import { changesSince, describeTool } from '../describe-tool.ts'
import type { Gate, GateTool } from '../model/gate.ts'
import { proposedUnasked, type Standing, standingOf } from '../read-gates.ts'

// About two lines of a wide screen.
const SHORT = 200

const CHIPS: Record<Standing, string | undefined> = {
  changed: 'changed',
  new: 'new',
  confirmed: undefined,
  unlisted: 'no longer listed',
}

type Props = { gate: Gate; tool: GateTool; changes: boolean }

/** One tool: what it says of itself, what changed, and whether it runs without asking. */
export function ToolRow({ gate, tool, changes }: Props) {
  const { title, description, hints } = describeTool(tool)
  const standing = standingOf(tool)
  const differences = standing === 'changed' ? changesSince(tool) : []
  const chip = CHIPS[standing]
  return (
    <li class="thing tool">
      <div>
        <p class="thing-name">
          <a href={href.gateTool(gate.id, tool.name)}>
            <code>
              <Prose text={tool.name} />
            </code>
          </a>{' '}
          {chip && <span class={standing === 'unlisted' ? 'chip' : 'chip wait'}>{chip}</span>}
        </p>
        {(title || description) && (
          <p dir="auto">
            <Prose text={shortened([title, description].filter(Boolean).join(': '))} />
          </p>
        )}
        <p class="soft">{hintWords(hints) ?? 'Says nothing of what it changes.'}</p>
        <ToolChanges changes={differences} />
      </div>
      {standing !== 'unlisted' && (
        <label class="also">
          <input
            type="checkbox"
            name="unasked"
            value={tool.name}
            checked={proposedUnasked(tool)}
            disabled={!changes}
          />
          <span>Without asking</span>
        </label>
      )}
    </li>
  )
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > SHORT ? `${cutText(line, SHORT)} …` : line
}
