import type { Metrics } from '../platform/metrics.ts'
import type { Catalog } from './routes.ts'

/** What the catalog serves, for `/metrics`; returns what counts probes, by outcome. */
export function measureCatalog(
  metrics: Metrics,
  { figures }: Pick<Catalog, 'figures'>,
): (outcome: string) => void {
  metrics.figure({
    ...{ name: 'beckon_catalog_tools', kind: 'gauge' },
    help: 'Tools in the catalog that is served.',
    read: () => figures()?.tools,
  })
  metrics.figure({
    ...{ name: 'beckon_catalog_sequence', kind: 'gauge' },
    help: 'Sequence number of the revision that is served; 0 when nothing was published.',
    read: () => figures()?.sequence,
  })
  metrics.figure({
    ...{ name: 'beckon_catalog_mirror_fetched_timestamp_seconds', kind: 'gauge' },
    help: 'When the source of a mirror was last asked with success, in seconds since 1970.',
    read: () => inSeconds(figures()?.mirror?.fetchedAt),
  })
  metrics.figure({
    ...{ name: 'beckon_catalog_mirror_expires_timestamp_seconds', kind: 'gauge' },
    help: 'Until when what is mirrored may be believed, in seconds since 1970.',
    read: () => inSeconds(figures()?.mirror?.expiresAt),
  })
  return metrics.counter({
    name: 'beckon_catalog_probes_total',
    help: 'Tries to reach a tool, by outcome; discarded when this server itself was cut off.',
    labels: ['outcome'],
  })
}

function inSeconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1_000
}
