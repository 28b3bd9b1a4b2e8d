/** @jsxImportSource preact */
import { cleanText } from '../../../platform/text.ts'
import type { Connect as Samples } from '../../records/connect.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { CodeSample, SheetSection } from '../parts/section.tsx'

const NAMES: Array<[key: keyof Samples, name: string]> = [
  ['claudeCode', 'Claude Code'],
  ['config', 'MCP client configuration'],
  ['install', 'Install'],
  ['http', 'First request'],
  ['x402', 'Paid request'],
]

/** Samples to copy; most are short enough to be read before they are run. */
export function ConnectSection({ tool }: { tool: ToolDetail }) {
  const samples = NAMES.flatMap(([key, name]) => {
    const text = cleanText(tool.connect[key] ?? '')
    return text ? [{ name, text }] : []
  })
  const { agentNotes } = tool.catalog
  if (samples.length === 0 && agentNotes.length === 0 && !tool.authNotes) return null
  return (
    <SheetSection id="connect" title="Connect">
      {tool.authNotes && <p dir="auto">{cleanText(tool.authNotes)}</p>}
      {samples.map((sample) => (
        <CodeSample {...sample} />
      ))}
      {agentNotes.length > 0 && (
        <>
          <h3>Notes for agents</h3>
          <ul class="bullets">
            {agentNotes.map((note) => (
              <li dir="auto">{cleanText(note)}</li>
            ))}
          </ul>
        </>
      )}
    </SheetSection>
  )
}
