/** @jsxImportSource preact */
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import { SheetSection } from './section.tsx'

/** Who asks, for the vendors that find this address in the user agent of a request. */
export function Probes({ snapshot }: { snapshot: CatalogSnapshot }) {
  const { name, contact } = snapshot.settings
  return (
    <SheetSection id="probes" title="What is measured, and who asks">
      <p>
        {name} asks the addresses of its tools by itself, with the user agent <code>Beckon</code>:
        whether they answer, every 15 minutes, and what else stands on the data sheets a few times a
        day or less. It sends no credentials and pays for nothing. A demand for credentials or
        payment counts as an answer.
      </p>
      <p>
        One request is in flight to a host at a time. <code>Retry-After</code> and{' '}
        <code>robots.txt</code> are kept to; two lines there end all of it:
      </p>
      <pre class="code">{'User-agent: Beckon\nDisallow: /'}</pre>
      {contact && (
        <p>
          Or write to the people behind this catalog:{' '}
          <a href={contact}>{contact.replace(/^mailto:/, '')}</a>.
        </p>
      )}
    </SheetSection>
  )
}
