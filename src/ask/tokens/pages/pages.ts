import { type Page, pagesWith, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { showTokenOwner, submitTokenOwner } from './token-owner.tsx'
import {
  showTokens,
  submitEmptyToken,
  submitNewToken,
  submitRevokeToken,
  type TokenPageDeps,
} from './tokens.tsx'

export function tokenPages(deps: TokenPageDeps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', paths.tokens, showTokens),
    signedInPage('POST', paths.tokens, submitNewToken),
    signedInPage('POST', paths.revokeToken, submitRevokeToken),
    signedInPage('POST', paths.emptyToken, submitEmptyToken),
    signedInPage('GET', paths.tokenOwner, showTokenOwner, 'tokens'),
    signedInPage('POST', paths.tokenOwner, submitTokenOwner, 'tokens'),
  ])
}
