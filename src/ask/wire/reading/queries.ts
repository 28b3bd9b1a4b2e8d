import type { Word } from './reading.ts'

// Commands of the clients themselves that only list and describe.
const CLIENT_COMMAND =
  /^\s*(\.(tables|schema|indexes|databases|dbinfo|headers (on|off)|mode \w+)( [\w.%*]+)?|\\(d[a-zS+]*|l\+?|z|conninfo)( [\w.*"]+)?)\s*;?\s*$/

const READS = /^\s*(select|with|values|show|explain|pragma|table|begin|commit|rollback|end)\b/i
const CHANGES = /\b(insert|update|delete|merge|copy|into|call|do|execute|grant|attach)\b/i

// Words that may come before a bracket: those of the language, and functions that only compute.
const BEFORE_BRACKET = new Set(
  'and or not in values as over on using where select from join exists any all union except intersect case when then else having by filter with explain between like limit offset distinct interval partition materialized recursive within group array row count sum min max avg total coalesce nullif ifnull iif length char_length lower upper trim ltrim rtrim substr substring replace instr position split_part concat concat_ws left right repeat lpad rpad reverse initcap format abs round ceil ceiling floor mod power sqrt sign random greatest least cast typeof pg_typeof date time datetime julianday strftime unixepoch now age date_trunc date_part extract to_char to_date to_timestamp make_date current_setting version current_database current_user pg_size_pretty pg_database_size pg_total_relation_size pg_relation_size pg_table_size pg_indexes_size pg_get_viewdef pg_get_indexdef pg_get_constraintdef obj_description col_description string_agg array_agg group_concat json_agg jsonb_agg json_object json_array json_extract json_array_length json_each json_tree json_valid json_type json_build_object jsonb_build_object json_object_agg jsonb_object_agg jsonb_array_elements jsonb_array_elements_text jsonb_object_keys jsonb_pretty jsonb_array_length row_number rank dense_rank lag lead first_value last_value ntile percent_rank percentile_cont unnest generate_series array_length cardinality regexp_replace regexp_matches md5 hex quote unicode char printf sqlite_version changes last_insert_rowid table_info table_xinfo table_list index_list index_info foreign_key_list foreign_keys foreign_key_check integrity_check quick_check user_version journal_mode varchar numeric decimal float bool_and bool_or every stddev variance'.split(
    ' ',
  ),
)

/**
 * Returns true if a text for a database only reads: statements of a few kinds, and in them
 * functions that are known. Others can write files, load code and start programs.
 */
export function isQuery({ sure, text, base }: Word): boolean {
  if (sure !== 'text' || base) return false
  if (CLIENT_COMMAND.test(text)) return true
  if (/[\\`]|\$\$|\/\*|(^|\n)\s*\./.test(text)) return false
  const code = text
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/--[^\n]*/g, ' ')
    .replace(/"([\w ]*)"\s*(?!\()/g, 'x ')
  if (/"/.test(code) || /'[^']/.test(code.replaceAll("''", ''))) return false
  const statements = code.split(';').filter((statement) => statement.trim() !== '')
  return statements.every(isReading)
}

function isReading(statement: string): boolean {
  if (!READS.test(statement) || CHANGES.test(statement)) return false
  const names = [...statement.matchAll(/(?<![\w.])([\w.]+)\s*\(/g)].map(([, name = '']) =>
    name.toLowerCase(),
  )
  return names.every((name) => BEFORE_BRACKET.has(name) || /^\d+$/.test(name))
}
