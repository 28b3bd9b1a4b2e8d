import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { AuthoredChange, AuthoredTool, AuthoredVendor } from '../records/authored.ts'

/**
 * What an importer may say of a tool: facts. Scores, negatives, gates and opinions have no place
 * here; the frame drops them whoever sends them.
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

/** A change of the tool; its id is `SLUG-key`, the same at every import. */
export type ImportedChange = Omit<AuthoredChange, 'id' | 'tool'> & { key: string }

/** One record of the source, in the words of the catalog. */
export type ImportedRecord = {
  /** The slug that it would like; another is found when that one is taken. */
  slug: string
  tool: ToolFacts
  /** Made when there is no such vendor yet; without it the vendor follows from the addresses. */
  vendor?: Partial<AuthoredVendor> & { id: string }
  changes?: ImportedChange[]
  /**
   * Where this record was read: an address of its own, by which the next import knows it again;
   * `read` is a day; `facts` are the fields of `tool` that it shows;
   * `credit` is a line that its licence asks to keep.
   */
  from: { url: string; read: string; licence?: string; credit?: string; facts: string[] }
  /**
   * The fields that also hold for a record of another kind, all of them without it: the licence of
   * the package through which an API is called is not that of the API.
   */
  acrossKinds?: readonly string[]
  /** Of a record that was not imported from here only `changes` are taken. */
  changesOnly?: true
  /**
   * What an earlier version of this importer wrote although the source does not say it, by field. It
   * is taken back from records of this source where it stands unchanged and nothing else shows it.
   */
  retracted?: Readonly<Record<string, unknown>>
  /**
   * Whether a record that the catalog lacks is made: `always` unless told otherwise. `quiet` makes
   * none and does not tell of it: it only adds to a record that is there.
   */
  stub?: 'always' | 'asked' | 'never' | 'quiet'
  /** Further ways to recognise it, beside the fields of `tool`. */
  match?: {
    repo?: string
    packages?: ReadonlyArray<{ registry: string; name: string }>
    /** The same slug alone is enough. */
    slug?: true
    /** A vendor of the same id is the same vendor. */
    vendorId?: true
  }
}

/** Left out on purpose. */
export type SkippedRecord = { skipped: string; why: string }

/** A value that is not what the source's format says; the rest of the record may still come. */
export type WrongValue = {
  wrong: { file: string; record: string; field: string; expected: string; found: string }
}

/** An instant up to which the source was read; the newest one is where the next run goes on. */
type Until = { until: string }

export type Item = ImportedRecord | SkippedRecord | WrongValue | Until

export type ImportDeps = {
  fetch: GuardedFetch['fetch']
  /** Milliseconds since 1970. */
  now: number
  /** Only what changed since then, where the source can say so. */
  since?: string
  /** Records read so far, and how many there are where that is known. */
  progress: (done: number, of?: number) => void
  signal?: AbortSignal
  /** What was said for the options of this importer, by their names. */
  options?: Readonly<Record<string, string>>
}

/** An option of `beckon catalog import` that one kind of source has for itself: `--NAME VALUE`. */
type ImportOption = {
  /** The environment variable that stands for it when it is not given. */
  env?: string
}

/**
 * One kind of source. It reads what the source says; what becomes of that in the catalog is decided
 * for all of them by `planImport`.
 */
export type Importer = {
  /** As `--as` and the reports name it. */
  name: string
  /** What is read, in the words of the reports. */
  about: string
  options?: Readonly<Record<string, ImportOption>>
  /** Whether a path or an address looks like this kind; may look into the file. */
  recognises(source: string): boolean
  /** Throws `Failure` when the source as a whole cannot be read. */
  read(source: string, deps: ImportDeps): AsyncIterable<Item>
}

/** The day of an instant, as `YYYY-MM-DD`. */
export function utcDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}
