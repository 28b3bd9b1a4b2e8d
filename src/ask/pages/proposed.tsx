/** @jsxImportSource preact */
import { Icon } from '../../platform/web/icon.tsx'
import { Code, CopyButton } from '../../platform/web/page-parts.tsx'
import { html } from '../../platform/web/respond.ts'
import type { QuestionId } from '../wire/ids.ts'
import { Layout } from './layout.tsx'
import { href } from './paths.ts'
import type { SignedIn } from './visit.ts'

/** A secret that works once others have agreed: it is shown now and never again. */
export function showSecret(
  visit: SignedIn,
  { name, value }: { name: string; value: string },
  id: QuestionId,
): Response {
  return html(
    <Layout visit={visit} title="Proposed" section="settings">
      <div class="page-head">
        <h1>Proposed</h1>
        <p class="sub">Others have to agree first. Until then it is refused everywhere.</p>
      </div>
      <section class="made" aria-labelledby="made-title">
        <h2 id="made-title">
          <Icon name="clock" />
          It works once they have agreed
        </h2>
        <div class="secret" data-copy-from>
          <Code name={name}>{value}</Code>
          <CopyButton />
        </div>
        <p class="rule">This is the only time it is shown. Keep it like a password.</p>
      </section>
      <a class="button" href={href.decide(id)}>
        Who has to agree
      </a>
    </Layout>,
  )
}
