import type { OwnFailure } from '../../platform/failure.ts'

export const PERMIT_USED: OwnFailure = {
  code: 'permit_used',
  status: 409,
  title: 'This permit was used',
}

export const PERMIT_EXPIRED: OwnFailure = {
  code: 'permit_expired',
  status: 409,
  title: 'This permit is over',
}

export const PERMIT_MISMATCH: OwnFailure = {
  code: 'permit_mismatch',
  status: 409,
  title: 'This permit is for another action',
}
