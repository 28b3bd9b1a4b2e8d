/** @jsxImportSource preact */

import { MarkedCommand } from '../marked.tsx'
import { each, type Rendering } from './rendering.ts'

const ADDRESS = /^(?:https?|wss?|ftp):\/\/\S+$/i

/** An address: first the host that it leads to, then all of it. Not to be tapped: an agent wrote it. */
export const link: Rendering = {
  parts: each((value) => typeof value === 'string' && ADDRESS.test(value) && URL.canParse(value)),
  Show({ values, names: [name = ''] }) {
    const text = String(values[name])
    const { host, username } = new URL(text)
    return (
      <>
        <p>
          leads to <b>{host}</b>
          {username !== '' && '. What stands before the @ is no host.'}
        </p>
        <code class="soft">
          <MarkedCommand text={text} />
        </code>
      </>
    )
  },
}
