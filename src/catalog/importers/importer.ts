import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { AuthoredChange, AuthoredTool, AuthoredVendor } from '../records/authored.ts'

/**
 * The fields that an importer may set: facts. Scores, negatives, gates and opinions are dropped,
 * whoever sends them.
 */
export type ToolFacts = Omit<
  Partial<AuthoredTool>,
  | 'slug'
  | 'vendor'
  | 'sources'
  | 'text'
  | 'scores'
  | 'negatives'
  | 'gates'
  | 'assessment'
  | 'strengths'
  | 'weaknesses'
> & { name: string }

/** A change of the tool; its id is `SLUG-key` in every import. */
export type ImportedChange = Omit<AuthoredChange, 'id' | 'tool'> & { key: string }

/** One record of the source, in the catalog's terms. */
export type ImportedRecord = {
  /** The preferred slug; another is chosen if it is taken. */
  slug: string
  /** The slug to take instead. */
  otherwise?: string
  /**
   * The precedence for a slug: 0 for who made the thing, 1 for who makes things of this sort. Lower
   * numbers take their slug first; 2 is everybody else.
   */
  precedence?: 0 | 1 | 2
  tool: ToolFacts
  /**
   * Made if the catalog has no such vendor; without it the vendor is derived from the addresses.
   */
  vendor?: Partial<AuthoredVendor> & { id: string }
  changes?: ImportedChange[]
  /** The ends of single models, which may have records of their own. */
  models?: ModelEnds
  /**
   * Where this record was read: `id` is what the source calls it, by which the next import finds it
   * again, `formerly` the address under which earlier versions kept it; `read` is a day, and `credit`
   * a line that its licence requires. `paths` says where in the document each field of `tool` was
   * read: a field without a place there is not taken.
   */
  from: {
    url: string
    id: string
    formerly?: string
    read: string
    licence?: string
    credit?: string
    paths: Readonly<Record<string, string>>
  }
  /**
   * The fields that also apply to a record of another kind; all of them without it. The licence of
   * an API's client package, for example, is not that of the API.
   */
  acrossKinds?: readonly string[]
  /** For a record that was not imported from this source only `changes` are used. */
  changesOnly?: true
  /**
   * Values that an earlier version of this importer wrote without support of the source, by field.
   * They are removed from records of this source if unchanged and not stated elsewhere.
   */
  retracted?: Readonly<Record<string, unknown>>
  /** The summary of a new record that the source does not describe; it claims nothing. */
  standIn?: string
  /**
   * When a missing record is made: `always` by default. `quiet` makes none and does not report
   * it; it only adds to an existing record.
   */
  stub?: 'always' | 'asked' | 'never' | 'quiet'
  /** More ways to find the record, besides the fields of `tool`. */
  match?: {
    repo?: string
    packages?: ReadonlyArray<{ registry: string; name: string }>
    /** The name of the model in requests to its vendor. */
    model?: string
    /** The address of the API, where it is not a fact of the record. */
    api?: string
    /** The provider whose API this is. */
    provider?: string
    /** The source names the vendor: its addresses do not. */
    vendorId?: true
  }
}

/** Changes by the name of a model, and the domains that its maker uses. */
export type ModelEnds = {
  owners: ReadonlySet<string>
  ends: ReadonlyArray<{ model: string; changes: ImportedChange[] }>
}

/** A record that was left out on purpose. */
export type SkippedRecord = { skipped: string; why: string }

/** A value that does not follow the source's format; the rest of the record may still be used. */
export type WrongValue = {
  wrong: { file: string; record: string; field: string; expected: string; found: string }
}

/** The instant up to which the source was read; the next run continues from the newest one. */
type Until = { until: string }

export type Item = ImportedRecord | SkippedRecord | WrongValue | Until

export type ImportDeps = {
  fetch: GuardedFetch['fetch']
  /** Milliseconds since 1970. */
  now: number
  /** Reads only changes since then, if the source supports it. */
  since?: string
  /** Called with the records read so far, and their number if it is known. */
  progress: (done: number, of?: number) => void
  signal?: AbortSignal
  /** The address that the source was copied from, as its reader says. */
  at?: string
  /** The values of this importer's options by name. */
  options?: Readonly<Record<string, string>>
}

/** An option of `beckon catalog import` for one kind of source: `--NAME VALUE`. */
type ImportOption = {
  /** The environment variable that replaces a missing option. */
  env?: string
}

/**
 * One kind of source. It reads records; `planImport` decides for all kinds what happens to them in
 * the catalog.
 */
export type Importer = {
  /** The name in `--as` and in reports. */
  name: string
  /** The source's name in reports. */
  about: string
  options?: Readonly<Record<string, ImportOption>>
  /** True if a path or an address looks like this kind; may look into the file. */
  recognises(source: string): boolean
  /** Throws `Failure` when the source as a whole cannot be read. */
  read(source: string, deps: ImportDeps): AsyncIterable<Item>
}

/** The day of an instant, as `YYYY-MM-DD`. */
export function utcDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}
