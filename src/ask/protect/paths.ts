/** Who has to agree to changes of who may decide. */
export const protectPath = '/settings/protect'
