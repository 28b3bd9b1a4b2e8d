export const visibilityPath = '/settings/visibility'
