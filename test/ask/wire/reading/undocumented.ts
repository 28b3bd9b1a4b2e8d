/** Programs of the table whose help does not name options by subcommand, with the reason. */
export const NO_DOCUMENTATION: readonly RegExp[] = [
  // No programs: a module, a wrapper in the project, or a name without a subcommand.
  /^python -m /,
  /^\.\//,
  / -$/,
  // Plugins, which may be missing where the program is there: the program itself answers.
  /^git lfs /,
  /^docker (compose|buildx) ?/,
  // The manual of a compiler is a package of its own, and its help is an excerpt.
  /^(gcc|g\+\+|cc|c\+\+|clang|clang\+\+)$/,
  // Two programs have the name; the table is about the other one than most systems install.
  /^yq$/,
  // Help of several pages that begins a pager or needs an account.
  /^(aws|gcloud|az) ?/,
]

/** Options that the installed version does not document and that are right, with the reason. */
const EXCEPTIONS: readonly (readonly [names: RegExp, options: string])[] = [
  // BSD and macOS.
  [/^(base64|base32)$/, '-D'],
  [/^file$/, '-I'],
  [/^date$/, '-j -v'],
  [/^(diff|colordiff)$/, '-L --no-index'],
  [/^top$/, '-l -s -o'],
  // Spelled together with another of their names that takes a value.
  [/^diff$/, '-u -c'],
  [/^sort$/, '-c -C --check'],
  [/^git (log|show)$/, '-c -m --cc'],
  [/^ctest$/, '-N'],
  [/^dpkg$/, '-l'],
  // Any digit, signal or file type.
  [/^(gzip|gunzip|zstd|unzstd|unzip)$/, '-1 -2 -3 -4 -5 -6 -7 -8'],
  [
    /^(kill|pkill|killall)$/,
    '-0 -1 -2 -3 -9 -15 -l -KILL -TERM -HUP -INT -QUIT -STOP -CONT -USR1 -USR2 -SIGTERM -SIGKILL -SIGINT -SIGHUP',
  ],
  [/^(ag|ack)$/, '--js --ts --py --go --java --ruby'],
  [/^mvn$/, '-ntp --no-transfer-progress'],
  [/^mvn$/, '-DskipTests -Dtest -Dit.test -DskipITs -Dmaven.test.skip -DfailIfNoTests'],
  [/^mvn$/, '-Dsurefire.failIfNoSpecifiedTests -Dcheckstyle.skip -Dspotless.check.skip'],
  [/^mvn$/, '-Dstyle.color -Dspring.profiles.active -Dmaven.javadoc.skip'],
  [/^java$/, '-Xmx512m -Xmx1g -Xmx2g -ea'],
  [/^ssh-keygen$/, '-lf -yf'],
  [/^xclip$/, '-sel -selection'],
  // A value that may be left out is documented as one that may not, or the other way round.
  [/^(ag|ack)$/, '-A -B -C'],
  [/^lsof$/, '-s -c -d'],
  [/^xxd$/, '-s'],
  [/^bun (test|build)$/, '--bail --sourcemap'],
  [/^kubectl /, '--dry-run'],
  [/^kubectl port-forward$/, '--address'],
  [/^apt list$/, '--upgradable'],
  [/^go /, '-cpu -json -dropreplace'],
  [/^go tool pprof$/, '-nodecount -sample_index -peek -unit -focus'],
  [/^git stash( push| save)?$/, '--message'],
  [/^git maintenance run$/, '--schedule'],
  [/^git (reflog|show)$/, '-n'],
  // Documented for what they hand their words to: git log, subcommands below, settings of npm.
  [/^git whatchanged$/, '-n -r --all --name-only --name-status --stat --until --oneline'],
  [/^git reflog$/, '--date --oneline --format --no-color'],
  [/^git stash (list|show)$/, '-n --stat --oneline --name-only --name-status --format --date'],
  [/^kubectl top$/, '-l -A --selector --all-namespaces --containers --sort-by --no-headers'],
  [/^npm/, '-s -C -w -ws -m --message --version -v --no-color --workspace --audit --fund --omit'],
  [/^npm/, '--depth --access --location --pack-destination --git-tag-version'],
  [/^npm/, '--workspaces-update --loglevel --include --prefix --tag --preid --audit-level'],
  [/^npm/, '-D -E -O -S -g -f -l -a -p --quiet --silent --verbose --workspaces --global --json'],
  [/^npm/, '--save --save-dev --save-exact --save-optional --save-peer --production --long'],
  [/^npm/, '--no-progress --no-optional --parseable'],
  [/^rsync$/, '--no-group'],
  [/^docker build$/, '--progress --load'],
  [/^bun /, '--watch --define -D --latest --json'],
  // Newer versions, or older ones that systems still have.
  [/^rg$/, '-d'],
  [/^batcat$/, '--no-config'],
  [/^systemctl /, '--no-legend'],
  [/^git clone$/, '--revision'],
  [/^git push$/, '--branches'],
  [/^git worktree add$/, '--orphan'],
  [/^git sparse-checkout (set|add)$/, '--skip-checks'],
  [/^go (test|build|run|vet|list)$/, '-C -skip -fix'],
  [/^go env$/, '-changed'],
  [/^go mod tidy$/, '-diff'],
  [/^gh auth status$/, '-a --active'],
  [/^gh pr create$/, '--fill-first --fill-verbose --dry-run'],
  [/^gh (pr|issue) comment$/, '--create-if-none'],
  [/^gh pr checks$/, '--fail-fast -q -t --jq --json --template'],
  [/^gh pr status$/, '-c --conflict-status'],
  [
    /^gh run /,
    '-s -e -c -a -q -t --status --event --commit --attempt --compact --jq --json --template',
  ],
  [
    /^gh (workflow|release|cache|variable|label) /,
    '-L -q -t --limit --jq --json --template --exclude-pre-releases',
  ],
  [
    /^gh search /,
    '-L -R -q -l --limit --repo --language --owner --state --author --label --sort --order --match --filename --extension --jq --json',
  ],
]

export function isException(name: string, option: string): boolean {
  return EXCEPTIONS.some(
    ([names, options]) => names.test(name) && options.split(' ').includes(option),
  )
}
