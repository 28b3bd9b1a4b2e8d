import type { OwnFailure } from '../../platform/failure.ts'

export const INVALID_PARAMETER: OwnFailure = {
  code: 'invalid_parameter',
  status: 400,
  title: 'A parameter is not valid',
}

export const CURSOR_MISMATCH: OwnFailure = {
  code: 'cursor_mismatch',
  status: 400,
  title: 'The cursor belongs to another list',
}

export const REVISION_EXPIRED: OwnFailure = {
  code: 'revision_expired',
  status: 410,
  title: 'The list has changed since',
}

export const NOT_ACCEPTABLE: OwnFailure = {
  code: 'not_acceptable',
  status: 406,
  title: 'None of these content codings',
}
