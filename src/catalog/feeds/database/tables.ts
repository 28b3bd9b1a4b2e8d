/** Grows when a table or column is removed or means something else; new ones leave it as it is. */
export const SCHEMA_VERSION = 1

/**
 * The tables of `/api/v1/catalog.sqlite` (docs/catalog/feeds.md). NULL: not stated, or not known. Of
 * yes and no, 1 is yes. `n` counts the rows of a tool in the order of its document. SQLite 3.8 reads
 * them, so no table is STRICT.
 */
export const TABLES = `
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tools (
  slug TEXT PRIMARY KEY, name TEXT NOT NULL, vendor TEXT NOT NULL, kind TEXT NOT NULL,
  category TEXT NOT NULL, area TEXT NOT NULL, summary TEXT NOT NULL, url TEXT NOT NULL,
  license TEXT, auth TEXT, pricing TEXT, "where" TEXT, x402 TEXT, repo TEXT, docs_url TEXT,
  remote_url TEXT, registry_name TEXT, last_release TEXT, updated TEXT,
  graded INTEGER NOT NULL, grade TEXT, score REAL, agent_ready INTEGER NOT NULL,
  rank INTEGER, category_rank INTEGER, confidence TEXT NOT NULL, assessed TEXT,
  verdict TEXT NOT NULL, record TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE packages (
  tool TEXT, n INTEGER, registry TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (tool, n)
) WITHOUT ROWID;
CREATE TABLE capabilities (
  tool TEXT, n INTEGER, capability TEXT NOT NULL, PRIMARY KEY (tool, n)
) WITHOUT ROWID;
CREATE TABLE prices (
  tool TEXT, n INTEGER, item TEXT NOT NULL, unit TEXT NOT NULL, usd REAL NOT NULL, note TEXT,
  source TEXT, PRIMARY KEY (tool, n)
) WITHOUT ROWID;
CREATE TABLE paid_endpoints (
  tool TEXT, n INTEGER, url TEXT NOT NULL, price_usd REAL, network TEXT NOT NULL,
  PRIMARY KEY (tool, n)
) WITHOUT ROWID;
CREATE TABLE criteria (
  tool TEXT, criterion TEXT, name TEXT NOT NULL, state TEXT, weight REAL NOT NULL,
  effective_weight REAL NOT NULL, score INTEGER, points REAL NOT NULL, points_most REAL,
  reason TEXT NOT NULL, date TEXT, PRIMARY KEY (tool, criterion)
) WITHOUT ROWID;
CREATE TABLE evidence (
  tool TEXT, criterion TEXT, n INTEGER, url TEXT NOT NULL, mark TEXT, answer TEXT, says TEXT,
  means TEXT, date TEXT, until TEXT, counts INTEGER, PRIMARY KEY (tool, criterion, n)
) WITHOUT ROWID;
CREATE TABLE checks (
  tool TEXT, criterion TEXT, "check" TEXT, answer TEXT NOT NULL, summary TEXT NOT NULL,
  source TEXT, date TEXT, PRIMARY KEY (tool, criterion, "check")
) WITHOUT ROWID;
CREATE TABLE gates (
  tool TEXT, n INTEGER, code TEXT NOT NULL, cap TEXT NOT NULL, reason TEXT NOT NULL,
  evidence TEXT, date TEXT, PRIMARY KEY (tool, n)
) WITHOUT ROWID;
CREATE TABLE deductions (
  tool TEXT, n INTEGER, code TEXT NOT NULL, points INTEGER NOT NULL, reason TEXT NOT NULL,
  source TEXT NOT NULL, date TEXT NOT NULL, expires TEXT NOT NULL, PRIMARY KEY (tool, n)
) WITHOUT ROWID;
CREATE TABLE grade_history (
  tool TEXT, n INTEGER, run TEXT NOT NULL, run_label TEXT NOT NULL, methodology TEXT NOT NULL,
  basis TEXT NOT NULL, confidence TEXT NOT NULL, grade TEXT, score REAL, pending TEXT NOT NULL,
  PRIMARY KEY (tool, n)
) WITHOUT ROWID;
CREATE TABLE mcp_tools (
  tool TEXT, name TEXT, hash TEXT NOT NULL, seen_at TEXT NOT NULL, changed_at TEXT NOT NULL,
  PRIMARY KEY (tool, name)
) WITHOUT ROWID;
CREATE TABLE mcp_lists (
  tool TEXT, n INTEGER, at TEXT NOT NULL, url TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (tool, n)
) WITHOUT ROWID;
CREATE TABLE mcp_changes (
  tool TEXT, list INTEGER, n INTEGER, name TEXT NOT NULL, kind TEXT NOT NULL, breaking INTEGER,
  hash TEXT, parts TEXT NOT NULL, PRIMARY KEY (tool, list, n)
) WITHOUT ROWID;
CREATE TABLE price_history (
  tool TEXT, n INTEGER, at TEXT NOT NULL, item TEXT NOT NULL, unit TEXT NOT NULL, usd_before REAL,
  usd_after REAL, PRIMARY KEY (tool, n)
) WITHOUT ROWID;
CREATE TABLE paid_price_history (
  tool TEXT, n INTEGER, at TEXT NOT NULL, url TEXT NOT NULL, network TEXT NOT NULL,
  asset TEXT NOT NULL, usd TEXT, PRIMARY KEY (tool, n)
) WITHOUT ROWID;
CREATE TABLE versions (
  tool TEXT, n INTEGER, at TEXT NOT NULL, registry TEXT NOT NULL, name TEXT NOT NULL,
  version TEXT NOT NULL, released TEXT, PRIMARY KEY (tool, n)
) WITHOUT ROWID;
CREATE TABLE vendor_status (
  tool TEXT, n INTEGER, at TEXT NOT NULL, indicator TEXT NOT NULL, summary TEXT NOT NULL,
  PRIMARY KEY (tool, n)
) WITHOUT ROWID;
CREATE TABLE uptime (
  tool TEXT, month TEXT, probes INTEGER NOT NULL, ok INTEGER NOT NULL, PRIMARY KEY (tool, month)
) WITHOUT ROWID;
CREATE TABLE changes (
  id TEXT PRIMARY KEY, date TEXT NOT NULL, date_precision TEXT NOT NULL, kind TEXT NOT NULL,
  tool TEXT NOT NULL, name TEXT NOT NULL, what TEXT NOT NULL, source TEXT NOT NULL,
  status TEXT NOT NULL, announced TEXT, replacement TEXT, ends_part TEXT, updated TEXT
) WITHOUT ROWID;
CREATE TABLE removed (
  slug TEXT PRIMARY KEY, date TEXT NOT NULL, reason TEXT NOT NULL, renamed_to TEXT, replacement TEXT
) WITHOUT ROWID;
`
