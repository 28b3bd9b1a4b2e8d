/** @jsxImportSource preact */
import { cleanLine } from '../../../platform/text.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { Day, ExternalLink, FactRow, hostOf, SheetSection, SourceLink } from '../parts/section.tsx'
import { wordFor } from '../words.ts'

const SECURITY_TXT: Record<string, string> = {
  valid: 'valid',
  none: 'none found',
  expired: 'expired',
}

/** The vendor, and the checks about it. */
export function ProvenanceSection({ tool }: { tool: ToolDetail }) {
  const { provenance } = tool
  if (!saysSomething(provenance)) return null
  const { securityTxt, endpointOnVendorDomain: own, notes = [] } = provenance
  return (
    <SheetSection id="provenance" title="Who stands behind it">
      <dl class="facts">
        <FactRow name="Company">{cleanLine(provenance.legalEntity)}</FactRow>
        <FactRow name="Domain">
          {provenance.domain && (
            <>
              {cleanLine(provenance.domain)}
              {provenance.domainRegistered && (
                <small>
                  {' '}
                  registered <Day day={provenance.domainRegistered} />
                </small>
              )}
            </>
          )}
        </FactRow>
        {own !== null && (
          <FactRow name="Endpoint">
            {own ? 'on the domain of the vendor' : 'on another domain'}
          </FactRow>
        )}
        <Link name="Terms" to={provenance.terms} />
        <Link name="Privacy" to={provenance.privacy} />
        <Link name="Status page" to={provenance.statusPage} />
        <Link name="Changelog" to={provenance.changelog} />
        {securityTxt && (
          <FactRow name="security.txt">{SECURITY_TXT[securityTxt] ?? wordFor(securityTxt)}</FactRow>
        )}
        {provenance.score !== null && (
          <FactRow name="Provenance score">{provenance.score} of 100</FactRow>
        )}
        {provenance.checked && (
          <FactRow name="Looked up">
            <Day day={provenance.checked} />
          </FactRow>
        )}
      </dl>
      {notes.map((note) => (
        <p dir="auto">{cleanLine(note)}</p>
      ))}
      <Checks known={provenance} />
      <Sources known={provenance} />
    </SheetSection>
  )
}

function saysSomething(provenance: ToolDetail['provenance']): boolean {
  const { legalEntity, domain, terms, privacy, statusPage, changelog, securityTxt, checked } =
    provenance
  const values = [legalEntity, domain, terms, privacy, statusPage, changelog, securityTxt, checked]
  const { endpointOnVendorDomain: own, score, notes = [], sources = [] } = provenance
  return values.some(Boolean) || own !== null || score !== null || notes.length + sources.length > 0
}

function Link({ name, to }: { name: string; to: string | undefined }) {
  if (!to) return null
  return (
    <FactRow name={name}>
      <SourceLink to={to} name={hostOf(to)} />
    </FactRow>
  )
}

const CHECKS: Record<string, string> = {
  legalEntity: 'Legal entity',
  domain: 'Domain',
  domainRegistered: 'Registration of the domain',
  terms: 'Terms',
  privacy: 'Privacy policy',
  statusPage: 'Status page',
  securityTxt: 'security.txt',
  changelog: 'Changelog',
  endpointOnVendorDomain: "Endpoint on the vendor's domain",
}

type Provenance = ToolDetail['provenance']

/** The checks of the score; each counts the same. */
function Checks({ known: { checks: all = [], score } }: { known: Provenance }) {
  // The others only say where a value was read.
  const checks = all.filter(({ path }) => path === undefined)
  if (checks.length === 0 || score === null) return null
  const holding = checks.filter((check) => check.held).length
  return (
    <details class="checks">
      <summary>
        What the score is made of ({holding} of {checks.length})
      </summary>
      <ul class="bullets">
        {checks.map(({ name, held, result, source, checked }) => (
          <li dir="auto">
            <b>{CHECKS[name] ?? cleanLine(name)}</b>: {held ? '' : 'does not hold, '}
            {cleanLine(result)}{' '}
            {source && <ExternalLink to={source}>{hostOf(source)}</ExternalLink>}{' '}
            {checked && (
              <span class="soft">
                <Day day={checked} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

function Sources({ known: { sources = [] } }: { known: Provenance }) {
  if (sources.length === 0) return null
  return (
    <details class="checks">
      <summary>What was read, and where ({sources.length})</summary>
      <ul class="bullets">
        {sources.map(({ url, read, facts }) => (
          <li dir="auto">
            <b>{cleanLine(facts.join(', '))}</b>:{' '}
            <ExternalLink to={url}>{hostOf(url)}</ExternalLink>{' '}
            <span class="soft">
              <Day day={read} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
