/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { CatalogFact } from '../../pages/catalog-fact.tsx'
import { Fact } from '../../pages/fact.tsx'
import { Prose, SafeText } from '../../pages/marked.tsx'
import { ToolChanges } from '../../pages/tool-changes.tsx'
import { hintWords } from '../../pages/tool-words.ts'
import type { ServerRecord } from '../../pages/visit.ts'
import type { GatedCall } from '../../wire/gated-call.ts'

const STATE_WORDS: Partial<Record<GatedCall['state'], string>> = {
  new: 'Nobody has allowed this tool before, and no owner has confirmed it.',
  changed: 'Its server has changed this tool since a person last saw it.',
  unlisted: 'The server does not list this tool, so what it says of itself is not known.',
}

type Props = { gate: GatedCall | undefined }
type FactsProps = Props & { record?: ServerRecord | undefined }

/** What is new about the tool behind a gate, before what it is given. */
export function ToolNews({ gate }: Props) {
  const words = gate && STATE_WORDS[gate.state]
  if (!words) return null
  const isNew = gate.state === 'new'
  return (
    <>
      <p class={isNew ? 'warn unknown' : 'warn why'}>
        <Icon name={isNew ? 'search' : 'warning'} />
        <span>{words}</span>
      </p>
      <ToolChanges changes={gate.changes ?? []} />
    </>
  )
}

/** Whose tool it is, and what it says of itself. */
export function ToolFacts({ gate, record }: FactsProps) {
  if (!gate) return null
  const { server, hints, changes = [] } = gate
  // What changed stands above, the words before beside those of now.
  const [title, description] = [gate.title, gate.description].map((text) =>
    changes.some(({ after }) => after === text) ? undefined : text,
  )
  return (
    <dl class="facts">
      {(title || description || hints) && (
        <Fact name="In its own words, not checked">
          {title && (
            <p>
              <Prose text={title} />
            </p>
          )}
          {description && <OwnWords text={description} />}
          {hints && <p class="soft">{hintWords(hints)}</p>}
        </Fact>
      )}
      <Fact name="Server">
        <code class="server">
          <Prose text={server} />
        </code>
      </Fact>
      <CatalogFact record={record} />
    </dl>
  )
}

// About four lines of a phone.
const SHORT = 180

function OwnWords({ text }: { text: string }) {
  const words = (
    <p class="own-words">
      <SafeText text={text} />
    </p>
  )
  if (text.length <= SHORT) return words
  return (
    <details>
      <summary>What it says it does</summary>
      {words}
    </details>
  )
}
