import { VERSION } from '../../platform/config/version.ts'

/** What a source reads in its log: who asks, and where to find out. */
export function mirrorAgent(baseUrl: string): string {
  return `Beckon/${VERSION} (mirror; +${baseUrl})`
}
