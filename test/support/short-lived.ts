/**
 * Settings of Bun for processes that soon end: half of the processor's time went to giving memory
 * back that is needed again at once, and to optimizing code that is not run for long.
 */
export const SHORT_LIVED = { MIMALLOC_PURGE_DELAY: '-1', BUN_JSC_useFTLJIT: '0' }
