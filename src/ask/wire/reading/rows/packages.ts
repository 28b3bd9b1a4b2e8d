/** Package managers and language tools. What runs scripts or code of the project is `project`. */
export const PACKAGE_ROWS = `
npm | project +sub | -s -C=r --prefix=r -w=t --workspace=t --workspaces -ws --silent --quiet --no-color --version -v --loglevel=t
npm - | says
npm test,npm start,npm stop,npm restart | project | --silent -s --ignore-scripts | t
npm run | project | --silent -s --if-present -w=t --workspace=t --workspaces | t
npm install | project | -D -S -E -g -w=t --save --save-dev --save-exact --save-optional --save-peer --no-save --global --force --legacy-peer-deps --ignore-scripts --no-audit --no-fund --audit=t --fund=t --prefer-offline --offline --omit=t --include=t --workspace=t --workspaces --package-lock-only --no-package-lock --dry-run --silent --loglevel=t --engine-strict --strict-peer-deps | k
npm ci | project | -D -S -g -w=t --save --save-dev --save-optional --save-peer --global --force --legacy-peer-deps --ignore-scripts --no-audit --no-fund --audit=t --fund=t --prefer-offline --offline --omit=t --include=t --workspace=t --workspaces --dry-run --silent --loglevel=t --engine-strict --strict-peer-deps | k
npm uninstall | project | -D -S -g -w=t --save --save-dev --no-save --global --force --legacy-peer-deps --workspace=t --ignore-scripts | t
npm update | project | -D -S -g -w=t --save --save-dev --no-save --global --force --legacy-peer-deps --workspace=t --dry-run --no-audit --no-fund --ignore-scripts | t
npm dedupe | project | -D -S -g -w=t --save --save-dev --global --force --legacy-peer-deps --workspace=t --dry-run --no-audit --no-fund --ignore-scripts | t
npm prune | project | -D -S -g -w=t --save --save-dev --global --force --legacy-peer-deps --workspace=t --dry-run --ignore-scripts | t
npm rebuild | project | -D -S -g -w=t --save --save-dev --global --force --legacy-peer-deps --workspace=t --ignore-scripts | t
npm ls,npm list | network:project | -a -g -l -p -w=t --all --json --depth=t --global --long --parseable --omit=t --include=t --workspace=t --workspaces --silent --ignore-scripts | t
npm outdated | network:project | -a -g -l -p -w=t --all --json --global --long --parseable --omit=t --include=t --workspace=t --silent --ignore-scripts | t
npm explain,npm fund | network:project | -g -l -p -w=t --all --json --global --long --parseable --omit=t --include=t --workspace=t --silent --ignore-scripts | t
npm view,npm query,npm diff,npm repo,npm docs,npm dist-tag | network:project | -g -l -p -w=t --all --json --global --long --parseable --omit=t --include=t --workspace=t --workspaces --silent --ignore-scripts | t
npm search,npm doctor,npm root,npm prefix,npm bin,npm ping,npm whoami,npm help | network:project | -g -l -p --all --json --global --long --parseable --omit=t --include=t --silent --ignore-scripts | t
npm audit | network:project | -g -l -p -w=t --all --json --global --long --parseable --omit=t --include=t --workspace=t --workspaces --audit-level=t --dry-run --silent --ignore-scripts | t
npm pack | network:project | -g -l -p -w=t --all --json --global --long --parseable --omit=t --include=t --workspace=t --workspaces --dry-run --silent --pack-destination=w --ignore-scripts | t
npm config,npm pkg | reads:project +sub | -g --global --json
npm config get,npm config list,npm config ls | reads | -l -g --json --location=t | t
npm pkg get | reads | -l -g --json | t
npm cache | writes:project +sub |
npm cache verify,npm cache ls | writes:project |
npm publish | network:project | --dry-run --access=t --tag=t --provenance --ignore-scripts -w=t --workspace=t --workspaces --json | t
npm unpublish | network:project | --dry-run --access=t --ignore-scripts -w=t --workspace=t --workspaces --json | t
npm deprecate | network:project | --dry-run --access=t --ignore-scripts --json | t
npm version | project | --no-git-tag-version --git-tag-version=t --allow-same-version -m=t --message=t --preid=t --no-commit-hooks --workspaces-update=t --no-workspaces-update | t
pnpm | project +sub | -s -C=r -r -w -F=t --filter=t --recursive --silent --dir=r --workspace-root --no-color --version -v --parallel --if-present --stream
pnpm - | says
pnpm test,pnpm start,pnpm run,pnpm build,pnpm lint,pnpm dev,pnpm typecheck,pnpm format,pnpm check | project | -r -s --silent --if-present --recursive --parallel --filter=t --stream --no-bail --coverage --run --watch | t
pnpm install,pnpm add,pnpm remove,pnpm update,pnpm dedupe,pnpm prune,pnpm rebuild,pnpm fetch | project | -D -P -O -E -g -w -r -L -i --save-dev --save-prod --save-exact --global --workspace-root --frozen-lockfile --no-frozen-lockfile --prefer-offline --offline --ignore-scripts --silent --latest --recursive --force --lockfile-only --prod --dev --no-optional --prefer-frozen-lockfile --filter=t --reporter=t --shamefully-hoist | k
pnpm list,pnpm why,pnpm outdated,pnpm audit,pnpm licenses,pnpm root,pnpm bin,pnpm store,pnpm view,pnpm info | network:project | -r -g --depth=t --json --recursive --parseable --long --prod --dev --audit-level=t --filter=t | t
yarn | project +sub | -s --silent --cwd=r --version -v
yarn - | project
yarn test,yarn start,yarn run,yarn build,yarn lint,yarn dev,yarn typecheck,yarn format,yarn check | project | -D -E -T -W -s --dev --exact --frozen-lockfile --immutable --ignore-scripts --silent --check --coverage --watch --network-timeout=t --ignore-engines --prefer-offline --non-interactive --pure-lockfile --no-progress | t
yarn install,yarn add,yarn remove,yarn up,yarn dedupe | project | -D -E -T -W -s --dev --exact --frozen-lockfile --immutable --ignore-scripts --silent --check --coverage --watch --network-timeout=t --ignore-engines --prefer-offline --non-interactive --pure-lockfile --no-progress | k
yarn why | reads:project | --json -R --recursive | t .
yarn list,yarn outdated,yarn audit,yarn info,yarn workspaces,yarn npm | network:project +sub | --json --depth=t --pattern=t --level=t
bun | project +sub | --version -v --revision --cwd=r --silent -b --bun
bun - | says
bun test | project | -t=t --timeout=t --watch --coverage --bail?t --rerun-each=t --only --todo -u --update-snapshots --test-name-pattern=t --coverage-reporter=t --concurrent --randomize --seed=t --no-isolate --retry=t --reporter=t --reporter-outfile=w --max-concurrency=t | f
bun run | project +first | --silent --bun --watch --hot --if-present --smol | t
bun install,bun add,bun ci | project | -d -E -g -p -f --dev --exact --global --production --frozen-lockfile --no-save --silent --force --dry-run --ignore-scripts --no-progress --optional --lockfile-only --omit=t --verbose --no-cache | k
bun remove | project | -g -p -f --global --production --frozen-lockfile --no-save --silent --force --dry-run --ignore-scripts --no-progress --lockfile-only --omit=t --verbose --no-cache | k
bun update | project | -d -E -g -p -f --dev --exact --global --production --frozen-lockfile --no-save --silent --force --dry-run --ignore-scripts --no-progress --latest --lockfile-only --omit=t --verbose --no-cache | k
bun build | project | --outdir=w --outfile=w --target=t --format=t --minify --sourcemap?t --splitting --compile --external=t --define=t --watch --production --entry-naming=t --no-bundle --bytecode -e=t | f
bun pm | reads:project +sub |
bun pm ls,bun pm bin,bun pm hash,bun pm cache | reads:project | -g --all | t
bun outdated,bun why | network:project |  | t
bun audit,bun info | network:project | --json | t
deno | project +sub | --version -q --quiet
deno test,deno check,deno lint,deno fmt,deno bench,deno doc | project | -A -q --allow-all --allow-read?t --allow-write?t --allow-net?t --allow-env?t --check --no-check --watch --coverage?t --filter=t --fix --quiet --unstable --parallel | f
deno task | project | -q --quiet | t
deno run | project | -A -q -R -W -N -E --allow-all --allow-read?t --allow-write?t --allow-net?t --allow-env?t --no-check --watch --quiet --unstable | f t
corepack | project +sub |
corepack enable,corepack disable | project |  | t
python -m unittest | project | -v -q -f -b -c -k=t -s=f -t=f -p=t --verbose --quiet --failfast --buffer --catch --locals --durations=t | f
python -m venv | writes:project | --system-site-packages --clear --upgrade --without-pip --upgrade-deps --prompt=t | p
python -m json.tool | reads +input | --sort-keys --no-ensure-ascii --json-lines --indent=t --tab --no-indent --compact | r .
python -m http.server | network | -b=t -d=f --bind=t --directory=f | t
python -m compileall,python -m py_compile | writes:project | -q -f -l | f
python -m tabnanny | reads | -q -v | r
python -m build | project | -s -w -x -n --sdist --wheel --no-isolation --skip-dependency-check | f
python -m site | reads | --user-base --user-site
python -m pydoc | reads |  | t
python -m doctest | project | -v -f | f
python -m coverage | project +sub | --version
python -m coverage run | project | --branch --source=t --include=t --omit=t -a -p -m=t --append --parallel-mode | f
python -m coverage report,python -m coverage xml,python -m coverage html,python -m coverage combine,python -m coverage erase | project | -m -i --show-missing --fail-under=t --include=t --omit=t --skip-covered --skip-empty | t
python -m uvicorn,uvicorn | project | --host=t --port=t --reload --workers=t --log-level=t --no-access-log --proxy-headers --root-path=t --version --factory --app-dir=f --reload-dir=f | f .
gunicorn,hypercorn | project | -b=t -w=t -k=t -c=f --bind=t --workers=t --timeout=t --reload --log-level=t --access-logfile=w --config=f --version | f
flask | project +sub | --app=f --debug --version
flask run,flask routes | project | -h=t -p=t --host=t --port=t --debug --reload
alembic | project +sub | --version
alembic current,alembic history,alembic heads,alembic check,alembic show,alembic branches | project | -v --verbose | t
pip,pip3 | project +sub | -q -v --quiet --version --disable-pip-version-check --no-input
pip install,pip3 install | project | -r=f -c=f -e=f -U -q -t=w --requirement=f --constraint=f --editable=f --upgrade --quiet --user --no-deps --no-cache-dir --pre --force-reinstall --dry-run --break-system-packages --no-build-isolation --disable-pip-version-check --target=w --upgrade-strategy=t --no-warn-script-location --prefer-binary | k
pip uninstall,pip3 uninstall | project | -y -r=r --yes | t
pip3 list,pip list | network:project | -v --outdated --format=t --local --user --exclude=t --not-required | t
pip show,pip3 show | network:project | -v -f --files | t
pip freeze,pip3 freeze | network:project | -v --local --user --all --exclude=t | t
pip check,pip3 check,pip index | network:project | -v | t
pip config,pip cache | reads +sub |
pip config list,pip config get,pip cache dir,pip cache info,pip cache list | reads |  | t
uv | project +sub | -q --quiet --version --no-cache --offline --directory=f --project=f --no-progress
uv sync,uv lock,uv remove,uv tree,uv export,uv version | project | -q -U -r=f -p=f --frozen --locked --dev --no-dev --group=t --extra=t --all-extras --all-groups --upgrade --python=f --quiet --check --no-sync --optional=t --package=t --all-packages --upgrade-package=t -P=t --seed --clear --no-install-project | t
uv add | project | -q -U -r=f -p=f --frozen --locked --dev --no-dev --group=t --extra=t --all-extras --all-groups --upgrade --python=f --quiet --check --no-sync --optional=t --package=t --all-packages --upgrade-package=t -P=t --seed --clear --no-install-project | k
uv build | project | -q -U -r=f -p=f --frozen --locked --dev --no-dev --group=t --extra=t --all-extras --all-groups --upgrade --python=f --quiet --check --no-sync --optional=t --package=t --all-packages --upgrade-package=t -P=t --seed --clear --no-install-project | f
uv venv | project | -q -U -r=f -p=f --frozen --locked --dev --no-dev --group=t --extra=t --all-extras --all-groups --upgrade --python=f --quiet --check --no-sync --optional=t --package=t --all-packages --upgrade-package=t -P=t --seed --clear --no-install-project | p
uv pip | project +sub |
uv pip install,uv pip uninstall,uv pip list,uv pip show,uv pip freeze,uv pip check,uv pip sync,uv pip compile | project | -r=f -e=f -U -q --system --upgrade --no-deps --python=f --quiet --format=t -o=w | k
uv python,uv tool,uv cache | project +sub |
uv python list,uv python find,uv tool list,uv cache dir | reads | --only-installed --all-versions | t
poetry | project +sub | -n -q -C=f --no-interaction --version --directory=f
poetry install,poetry add,poetry remove,poetry update,poetry lock,poetry show,poetry check,poetry build,poetry version | project | -n -q -G=t -D -E=t --with=t --without=t --only=t --no-root --sync --extras=t --all-extras --group=t --dev --dry-run --no-update --no-interaction --tree --latest --outdated --short | k
poetry env | reads +sub |
poetry env info,poetry env list | reads | -p --path --full-path
cargo | project +sub | -q -v --quiet --verbose --version -V --locked --offline --frozen --color=t
cargo - | says
cargo build,cargo check,cargo test,cargo run,cargo doc,cargo bench,cargo nextest,cargo expand,cargo miri,cargo llvm-cov | project | -q -v -p=t -r -j=t -F=t --release --all --workspace --all-targets --all-features --no-default-features --features=t --lib --bins --bin=t --tests --test=t --benches --bench=t --examples --example=t --package=t --exclude=t --manifest-path=f --target=f --profile=t --no-run --no-fail-fast --locked --offline --frozen --quiet --verbose --no-deps --message-format=t --jobs=t --keep-going --fix --allow-dirty --allow-staged --doc --color=t --timings?t --document-private-items | t
cargo clippy | project | -q -v -p=t -r -j=t -F=t --release --all --workspace --all-targets --all-features --no-default-features --features=t --lib --bins --bin=t --tests --test=t --benches --bench=t --examples --example=t --package=t --exclude=t --manifest-path=f --target=f --profile=t --no-run --no-fail-fast --locked --offline --frozen --quiet --verbose --no-deps --message-format=t --jobs=t --keep-going --fix --allow-dirty --allow-staged --doc --color=t --timings?t --document-private-items | g
cargo fmt | project | --all --check -p=t --package=t -- | t
cargo clean | writes:project | -p=t --release --package=t --doc
cargo add,cargo remove,cargo update,cargo fetch,cargo generate-lockfile,cargo fix | project | -p=t -F=t --dev --build --features=t --no-default-features --optional --precise=t --package=t --dry-run --locked --lib --bin --name=t --edition=t --vcs=t --workspace --aggressive --allow-dirty --allow-staged --all-targets --all-features -q | k
cargo new,cargo init | writes:project | --lib --bin --name=t --edition=t --vcs=t -q --quiet | p
cargo tree,cargo metadata,cargo search,cargo info,cargo audit,cargo outdated,cargo deny,cargo machete,cargo udeps,cargo pkgid,cargo locate-project,cargo help,cargo version | network:project | -p=t -e=t -i=t -d -f=t -q --format-version=t --no-deps --depth=t --edges=t --invert?t --duplicates --workspace --all-features --features=t --limit=t --manifest-path=f --prefix=t --target=t --offline --locked --message-format=t | t
rustc | project | --version -V --edition=t -o=w -O -g --crate-type=t --emit=t --explain=t --test --print=t | f
rustup | project +sub | --version
rustup show,rustup update,rustup default | network:project | --installed --toolchain=t -v --no-self-update --profile=t | f
rustup target,rustup component,rustup toolchain | network:project +sub |
rustup target list,rustup target add,rustup target remove,rustup component list,rustup component add,rustup component remove,rustup toolchain list,rustup toolchain install | network:project | --installed --toolchain=t --profile=t --no-self-update -v --component=t --target=t | f
rustfmt | project | --check --edition=t --config=f | w
go | project +sub |
go vet,go run,go build,go test | project +single | -v -race -short -count=t -run=t -bench=t -benchmem -benchtime=t -timeout=t -cover -coverprofile=w -covermode=t -coverpkg=t -parallel=t -p=t -failfast -json -tags=t -o=b -c -i -x -n -a -mod=t -ldflags=x -gcflags=x -trimpath -cpu=t -fuzz=t -fuzztime=t -list=t -shuffle=t -skip=t -msan -asan -vet=t -work -cpuprofile=w -memprofile=w -C=f -args -buildvcs?t | f
go install | project +single | -v -race -tags=t -mod=t -trimpath -ldflags=x -x -n -a | t
go fmt | project +single | -n -x -v -run=t -i | f
go clean | project +single | -n -x -v -cache -testcache -modcache -run=t -i | f
go generate | project +single | -n -x -v -run=t | f
go mod,go work | project +sub |
go mod tidy | project +single | -v -e -json -x -m -go=t -compat=t -diff | t
go mod download,go mod verify,go mod why,go mod vendor,go mod init,go work sync | project +single | -v -e -json -x -m | t
go mod graph | project +single | -v -e -json -x -m -go=t | t
go mod edit | project +single | -v -e -json -x -m -go=t -require=t -droprequire=t -dropreplace=t -print | t
go work use | project +single | -r | f
go get | project +single | -u?t -t -d -v -x | t
go list | reads:project +single | -m -json?t -f=t -deps -test -e -u -versions -short -mod=t -tags=t -find -compiled -export -C=f -c | t
go doc | reads:project +single | -u -all -src -short -c -cmd | t
go help | reads:project +single |  | t
go version | reads:project +single | -m | t
go env | reads:project +single | -json -changed | t
go tool | project +sub | -n
go tool cover | project +single | -func=r -html=r -o=b -mode=t | f
go tool pprof | project +single | -o=b -top -text -list=t -nodecount=t -cum -flat -sample_index=t -peek=t -unit=t -traces -focus=t -lines | f
go tool nm | project +single | -size -sort=t | f
go tool trace,go tool objdump | project +single |  | f
goimports,gofumpt | writes:project | -l -w -d -s -e -extra -local=t | r
gofmt | writes:project | -l -w -d -s -e | r
golangci-lint | project +sub | --version --color=t
golangci-lint run,golangci-lint fmt,golangci-lint linters,golangci-lint version,golangci-lint config,golangci-lint cache | project | -v -c=f -D=t -E=t -j=t --fix --timeout=t --new --new-from-rev=t --config=f --disable=t --enable=t --enable-only=t --disable-all --enable-all --default=t --out-format=t --tests=t --fast --allow-parallel-runners --build-tags=t --max-issues-per-linter=t --max-same-issues=t --diff --show-stats --concurrency=t --issues-exit-code=t --modules-download-mode=t --no-config | f
staticcheck,govulncheck,ginkgo,errcheck,deadcode,gosec,gocyclo | project +single | -v -r -p -json -f=t -format=t --format=t -checks=t -tests -test -tags=t -show=t -mode=t -over=t -version --version -- -race -count=t -run=t -timeout=t -short | f
gotestsum | project | --format=t -f=t --junitfile=w --packages=t --rerun-fails?t --no-color --version -- | f
dlv | project +sub |
dlv test,dlv debug,dlv version | project | --build-flags=x | f
bundle | project +sub |
bundle - | project
bundle install,bundle update,bundle check,bundle list,bundle show,bundle outdated,bundle info,bundle lock | project | -j=t --jobs=t --quiet --local --without=t --path=p --deployment --retry=t --conservative --frozen --parseable --group=t | k
bundle add | project | --group=t --version=t | k
bundle config | reads +sub |
bundle config list,bundle config get | reads | --parseable | t
gem | project +sub |
gem list,gem uninstall,gem env,gem search,gem which,gem outdated,gem info | project | -v=t -i -l -r --version=t --local --remote | t
gem install | project | -v=t -N --no-document --version=t --local --remote --conservative --user-install | k
gem build | project | --strict | f
composer | project +sub | -n -q --no-interaction --quiet --no-ansi --version
composer install,composer update,composer require,composer remove,composer dump-autoload,composer show,composer validate,composer outdated,composer why,composer audit | project | -n -q -o -W -d=f --dev --no-dev --no-interaction --no-progress --prefer-dist --optimize-autoloader --no-scripts --with-all-dependencies --dry-run --ignore-platform-reqs --direct --strict --no-check-publish --quiet --latest --no-plugins | k
composer run-script,composer run,composer test | project | -n -q --dev --no-dev --no-interaction --quiet | t
mix | project +sub |
mix test,mix compile,mix format,mix deps.get,mix credo,mix dialyzer,mix deps.compile,mix ecto.migrate,mix phx.routes | project | --force --check-formatted --strict --warnings-as-errors --trace --cover --stale --failed --seed=t --only=t --exclude=t --include=t --all | f
dotnet | project +sub | --version --info --list-sdks --list-runtimes
dotnet build,dotnet test,dotnet restore,dotnet clean,dotnet format,dotnet list,dotnet add,dotnet publish,dotnet new,dotnet sln | project | -c=t -f=t -r=t -o=p -v=t -l=f --configuration=f --framework=t --runtime=t --no-build --no-restore --nologo --filter=t --verbosity=t --project=f --verify-no-changes --output=p --collect=t --self-contained --logger=f --include=t --no-incremental -nologo -warnaserror | g
dotnet run | project | -c=t -f=t -r=t -v=t --configuration=f --framework=t --runtime=t --no-build --no-restore --project=f --verbosity=t --launch-profile=t | t
mvn,./mvnw | project | -q -B -e -X -o -U -N -V -v -T=t -P=t -pl=t -am -amd -ff -fae -fn -ntp -nsu -f=f -DskipTests?t -Dtest=t -Dit.test=t -DskipITs?t -Dmaven.test.skip?t -DfailIfNoTests=t -Dsurefire.failIfNoSpecifiedTests=t -Dcheckstyle.skip?t -Dspotless.check.skip?t -Dstyle.color=t -Dspring.profiles.active=t -Dmaven.javadoc.skip?t --quiet --batch-mode --errors --no-transfer-progress --offline --projects=t --also-make --fail-at-end --file=f --threads=t --version | m
gradle,./gradlew | project | -q -i -s -x=t -p=f -P=g -D=g --quiet --info --stacktrace --no-daemon --offline --rerun-tasks --continue --parallel --tests=t --console=t --build-cache --no-build-cache --dry-run --scan --warning-mode=t --project-dir=f | g
java | project +single | -version --version -cp=f -classpath=f -d=w -jar=f -Xmx512m -Xmx1g -Xmx2g -ea -XshowSettings:properties | f t
javac | project +single | -version --version -cp=f -classpath=f -d=w | f t
swift | project +sub | --version
swift build,swift test,swift run | project | -c=t --configuration=f --filter=t --parallel -v --package-path=f --show-bin-path --skip=t --enable-code-coverage | t
swift package | project +sub |
swift package resolve,swift package update,swift package describe,swift package show-dependencies,swift package clean,swift package reset,swift package dump-package | project | --type=t --format=t | t
xcodebuild | project +single | -project=f -scheme=t -workspace=f -configuration=t -sdk=t -destination=t -list -version -showsdks -quiet -derivedDataPath=w | g
flutter,dart | project +sub | --version
flutter test,flutter build,flutter analyze,flutter doctor,dart test,dart format,dart analyze,dart fix,dart run | project | -v --coverage --release --debug --no-pub --fatal-infos --set-exit-if-changed --apply --dry-run -o=p --output=p | f
flutter pub,dart pub | project +sub |
flutter pub get,flutter pub upgrade,flutter pub outdated,flutter pub deps,flutter pub add,flutter pub remove,dart pub get,dart pub upgrade,dart pub outdated,dart pub deps,dart pub add,dart pub remove | project | --dry-run --offline --no-example | k
zig | project +sub |
zig build,zig test,zig fmt,zig version | project | -Doptimize=t --check --summary=t --release=t | f
nvm,fnm,asdf,volta | project +sub | --version
nvm use,nvm ls,nvm current,fnm use,fnm list,asdf current,asdf list | project | --silent | t
brew | project +sub | --version -v --prefix?t
brew list,brew info,brew search,brew outdated,brew config,brew doctor,brew deps,brew --prefix | network | --versions --cask --formula --json?t -1 --installed --tree | t
apt | machine +sub | --version -q -y -qq --yes --no-install-recommends
apt-get | machine +sub | -l -s -q -y -qq --version --yes --no-install-recommends
apt-cache | machine +sub | -q --version
dpkg | machine +sub | --version -l -s=t -S=t -L=t
rpm,dnf,yum,apk | machine +sub | -l -s -S -L -qa -q -y -qq --version --yes --no-install-recommends
apt-cache depends | reads | --installed | t
apt-cache show | reads | --installed -a | t
apt-cache search,apt-cache policy | reads |  | t
apt list | reads | --installed --upgradable -a | t
apt search,apt policy | reads |  | t
apt show | reads | -a | t
`
