import { VERSION } from '../../platform/config/version.ts'

/** The user agent: who asks, and where to learn more. */
export function mirrorAgent(baseUrl: string): string {
  return `Beckon/${VERSION} (mirror; +${baseUrl})`
}
