import type { Id } from '../../../platform/ids.ts'

export type WorkspaceId = Id<'ws'>
export type TokenId = Id<'key'>
export type PairingId = Id<'pair'>
/** People's ids come from better-auth. */
export type PersonId = string
