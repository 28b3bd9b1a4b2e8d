import type { Meta } from '../../records/meta.ts'

/** The credit line with the licence, which it often names itself. */
export function creditLine({
  attribution,
  license,
}: Pick<Meta, 'attribution' | 'license'>): string {
  const said = attribution.replace(/\.\s*$/u, '')
  return said.includes(license) ? said : `${said} (${license})`
}
