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
  const { provenance: known } = tool
  if (!saysSomething(known)) return null
  const { securityTxt, endpointOnVendorDomain: own, notes = [] } = known
  return (
    <SheetSection id="provenance" title="Who stands behind it">
      <dl class="facts">
        <FactRow name="Company">{cleanLine(known.legalEntity)}</FactRow>
        <FactRow name="Domain">
          {known.domain && (
            <>
              {cleanLine(known.domain)}
              {known.domainRegistered && (
                <small>
                  {' '}
                  registered <Day day={known.domainRegistered} />
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
        <Link name="Terms" to={known.terms} />
        <Link name="Privacy" to={known.privacy} />
        <Link name="Status page" to={known.statusPage} />
        <Link name="Changelog" to={known.changelog} />
        {securityTxt && (
          <FactRow name="security.txt">{SECURITY_TXT[securityTxt] ?? wordFor(securityTxt)}</FactRow>
        )}
        {known.score !== null && <FactRow name="Provenance score">{known.score} of 100</FactRow>}
        {known.checked && (
          <FactRow name="Looked up">
            <Day day={known.checked} />
          </FactRow>
        )}
      </dl>
      {notes.map((note) => (
        <p dir="auto">{cleanLine(note)}</p>
      ))}
      <Checks known={known} />
      <Sources known={known} />
    </SheetSection>
  )
}

function saysSomething(known: ToolDetail['provenance']): boolean {
  const { legalEntity, domain, terms, privacy, statusPage, changelog, securityTxt, checked } = known
  const said = [legalEntity, domain, terms, privacy, statusPage, changelog, securityTxt, checked]
  const { endpointOnVendorDomain: own, score, notes = [], sources = [] } = known
  return said.some(Boolean) || own !== null || score !== null || notes.length + sources.length > 0
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

type Known = ToolDetail['provenance']

/** The checks of the score; each counts the same. */
function Checks({ known: { checks: all = [], score } }: { known: Known }) {
  // The others only say where a value was read.
  const checks = all.filter(({ path }) => path === undefined)
  if (checks.length === 0 || score === null) return null
  const held = checks.filter((check) => check.held).length
  return (
    <details class="checks">
      <summary>
        What the score is made of ({held} of {checks.length})
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

function Sources({ known: { sources = [] } }: { known: Known }) {
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
