/** @jsxImportSource preact */

import type { Examples } from '../wire/examples.ts'
import { MarkedCommand } from './marked.tsx'

type Props = {
  examples: Examples
  /** They are shell commands. */
  shell?: boolean
}

/** Shows by examples what a permission would allow and what it would not, before it is given. */
export function ExampleLists({ examples: { would, wouldNot }, shell = false }: Props) {
  return (
    <div class="examples">
      <List title="It would allow, for example:" texts={would} shell={shell} />
      <List title="It would still ask about:" texts={wouldNot} shell={shell} />
    </div>
  )
}

function List({ title, texts, shell }: { title: string; texts: string[]; shell: boolean }) {
  if (texts.length === 0) return null
  return (
    <>
      <p class="soft">{title}</p>
      <ul class="paths">
        {texts.map((text) => (
          <li>
            <code>
              <MarkedCommand text={text} shell={shell} />
            </code>
          </li>
        ))}
      </ul>
    </>
  )
}
