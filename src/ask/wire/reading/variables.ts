// Settings that no program takes for a command, a file to load or a place to go.
const KNOWN =
  /^(NODE_ENV|CI|DEBUG|VERBOSE|PORT|HOST|HOSTNAME|RUST_LOG|RUST_BACKTRACE|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|COLOR|COLUMNS|LINES|TZ|LANG|LC_[A-Z]+|LOG_LEVEL|LOGLEVEL|ENVIRONMENT|APP_ENV|RAILS_ENV|RACK_ENV|MIX_ENV|FLASK_ENV|DJANGO_SETTINGS_MODULE|GOOS|GOARCH|CGO_ENABLED|GOMAXPROCS|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED|PYTHONIOENCODING|TERM|SOURCE_DATE_EPOCH|DRY_RUN|HUSKY|TF_IN_AUTOMATION|TF_LOG|DATABASE_URL|REDIS_URL|MONGO_URL|VITE_[A-Z0-9_]+|NEXT_PUBLIC_[A-Z0-9_]+|UPDATE_SNAPSHOTS?|DISPLAY|GIT_TERMINAL_PROMPT|PGUSER|PGDATABASE|PGPORT)$/

// Tests of a project may take a command from `TEST_CMD`; these name places and amounts.
const OF_TESTS =
  /^(TEST|E2E)_([A-Z0-9_]+_)?(URL|URI|HOST|PORT|DB|DATABASE|DATABASE_URL|ENV|MODE|LEVEL|TIMEOUT|TIMEOUT_MS|SEED|ROUNDS|RETRIES|WORKERS|SHARD|USER|EMAIL|REGION|TAGS?|GROUP|NAME|FILTER|ID|KEY|TOKEN)$/

/** Returns true if setting the variable does not make a program do anything else. */
export function isKnownVariable(name: string): boolean {
  return KNOWN.test(name) || OF_TESTS.test(name)
}

// Variables that shells and programs read as a command, a path to programs, or settings that name one.
const SPECIAL =
  /^(PATH|IFS|CDPATH|HOME|ENV|SHELL|SHELLOPTS|BASHOPTS|BASH_.*|PS\d|PROMPT.*|PROMPT_COMMAND|FPATH|ZDOTDIR|TMPDIR|GLOBIGNORE|HIST.*|PAGER|EDITOR|VISUAL|BROWSER|CC|CXX|LD|AR|CPP|AS|NM|.*PAGER|.*EDITOR|.*_COMMAND|.*FLAGS|.*_OPTIONS|.*_OPTS|.*_PROXY|.*_proxy|.*WRAPPER|LD_.*|DYLD_.*|GIT_.*|SSH_.*|SUDO_.*|NODE_.*|NPM_.*|npm_.*|YARN_.*|PNPM_.*|BUN_.*|DENO_.*|PYTHON.*|PIP_.*|UV_.*|POETRY_.*|RUBY.*|GEM_.*|BUNDLE_.*|PERL.*|JAVA_.*|MAVEN_.*|GRADLE_.*|JDK_.*|CARGO_.*|RUST.*|GO[A-Z]+|CGO_.*|DOCKER_.*|KUBE.*|HELM_.*|AWS_.*|GOOGLE_.*|CLOUDSDK_.*|AZURE_.*|TF_.*|VAULT_.*|MAKE.*|MFLAGS|CMAKE_.*|LESS.*|MAN.*|CURL_.*|WGETRC|XDG_.*|TERMINFO.*|GNUPGHOME|GPG_.*|PG.*|MYSQL_.*|REDISCLI_.*|ANSIBLE_.*|PHP.*|COMPOSER_.*|LUA_.*|R_.*|BEAM_.*|ERL_.*|ELIXIR_.*|HEX_.*|VIRTUAL_ENV|CONDA_.*|NVM_.*|BECKON_.*|CLAUDE.*|CODEX_.*|GEMINI_.*|path|cdpath|fpath|manpath|prompt|precmd.*|RPROMPT|TMOUT|OPT(IND|ARG)|REPLY|NULLCMD|READNULLCMD|WORDCHARS|POSIXLY_CORRECT|BLOCK_SIZE|TAR_OPTIONS|GREP_OPTIONS|RIPGREP_CONFIG_PATH|FZF_.*|BAT_.*|JQ_.*|OPENSSL_.*|SSL_.*|RSYNC_.*|ZIPOPT|UNZIP.*|GZIP|XZ_.*|LS_COLORS|QUOTING_STYLE|FUNCNEST|aliases|functions|commands|status|argv|signals|options|modules|parameters|widgets)$/

/**
 * Returns true if an assignment alone, which may reach programs through the environment, is
 * harmless.
 */
export function isOrdinaryVariable(name: string): boolean {
  return isKnownVariable(name) || !SPECIAL.test(name)
}

/** A value that names neither a program nor a file. */
export function isSwitch(text: string): boolean {
  return /^(\d{1,9}|true|false|on|off|yes|no|)$/i.test(text)
}
