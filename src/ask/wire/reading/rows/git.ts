/** git and the programs of its hosts. No option here names a command, a pager or a program. */
export const GIT_ROWS = `
git | reads +sub | -C=r --no-pager -P --no-optional-locks --literal-pathspecs --no-replace-objects --version --git-dir=r --work-tree=r --html-path
git - | says
git help | reads |  | t
git version | says | --build-options
git status | reads | -s -b -v -u?t -z --short --branch --porcelain?t --long --verbose --untracked-files?t --ignored?t --show-stash --ahead-behind --no-ahead-behind --renames --no-renames --column?t --no-column --ignore-submodules?t | r
git log | reads +digits | -p -u -n=t -s -L=t -S=t -G=t -i -E -F -P -c -m -t -z -M?t -C?t -B?t -U=t -w -b -1 -2 -3 --oneline --graph --all --stat?t --shortstat --numstat --name-only --name-status --summary --patch --no-patch --no-merges --merges --first-parent --follow --reverse --decorate?t --no-decorate --abbrev-commit --no-abbrev-commit --abbrev?t --format=t --pretty?t --date=t --since=t --after=t --until=t --before=t --author=t --committer=t --grep=t --all-match --invert-grep --max-count=t --skip=t --branches?t --tags?t --remotes?t --left-right --cherry-pick --cherry-mark --cherry --no-color --color?t --word-diff?t --diff-filter=t --topo-order --date-order --author-date-order --source --raw --unified=t --minimal --no-renames --find-renames?t --no-ext-diff --no-textconv --full-history --simplify-by-decoration --show-signature --no-show-signature --boundary --relative-date --full-index --ignore-all-space --ignore-space-change --no-mailmap --mailmap --cc --exit-code --quiet --walk-reflogs -g --children --parents --exclude=t --glob=t --max-parents=t --min-parents=t --pickaxe-regex --no-notes --ancestry-path?t | t
git show | reads +digits | -p -s -q -n=t -U=t -w -b -M?t -C?t -m -c --stat?t --name-only --name-status --shortstat --numstat --oneline --format=t --pretty?t --no-patch --quiet --patch --abbrev-commit --no-color --color?t --summary --date=t --word-diff?t --no-ext-diff --no-textconv --raw --unified=t --diff-filter=t --no-renames --first-parent --cc --full-index --no-notes --relative?t | t
git diff | reads +digits | -p -u -s -w -b -z -R -a -U=t -M?t -C?t -B?t -D -G=t -S=t -c --stat?t --shortstat --numstat --dirstat?t --name-only --name-status --cached --staged --merge-base --no-index --check --quiet --exit-code --summary --patch --no-patch --raw --word-diff?t --word-diff-regex=t --color-words?t --color?t --no-color --color-moved?t --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --ignore-cr-at-eol --unified=t --diff-filter=t --diff-algorithm=t --minimal --patience --histogram --find-renames?t --no-renames --no-ext-diff --no-textconv --text --binary --full-index --abbrev?t --relative?t --no-relative --function-context -W --compact-summary --submodule?t --ignore-submodules?t --no-prefix --src-prefix=t --dst-prefix=t --inter-hunk-context=t --pickaxe-all --base --ours --theirs --cc --indent-heuristic --find-copies?t | t
git difftool | reads | --tool-help
git blame | reads | -L=t -w -s -e -l -t -p -b -f -n --porcelain --line-porcelain --date=t --since=t --show-email --root --reverse=t --ignore-rev=t --incremental -M?t -C?t | t
git annotate | reads | -L=t -w -s -e -l -t -p -b -f -n --porcelain --line-porcelain --date=t --show-email --root --reverse=t --ignore-rev=t --incremental -M?t -C?t | t
git grep | reads | -n -i -l -L -c -w -v -h -H -E -F -P -G -o -p -q -W -z -e=t -f=r -A=t -B=t -C=t -m=t --line-number --ignore-case --files-with-matches --name-only --files-without-match --count --word-regexp --invert-match --extended-regexp --fixed-strings --perl-regexp --only-matching --untracked --cached --no-index --no-exclude-standard --exclude-standard --heading --break --show-function --function-context --context=t --after-context=t --before-context=t --and --or --not --all-match --color?t --no-color --max-depth=t --recurse-submodules --column --quiet --threads=t | t
git ls-files | reads | -c -d -m -o -i -s -u -k -z -t -v -f -x=t -X=r --cached --deleted --modified --others --ignored --stage --unmerged --killed --exclude=t --exclude-from=r --exclude-standard --error-unmatch --full-name --abbrev?t --format=t --deduplicate --eol --recurse-submodules | r
git ls-tree | reads | -r -d -t -l -z --name-only --name-status --full-name --full-tree --long --abbrev?t --format=t --object-only | t
git ls-remote | network | -h -t -q --heads --tags --refs --quiet --exit-code --get-url --sort=t --symref | a
git rev-parse | reads | -q --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --git-path=t --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --abbrev-ref?t --short?t --verify --quiet --all --branches?t --tags?t --remotes?t --symbolic --symbolic-full-name --sq --not --default=t --show-superproject-working-tree --path-format=t --show-object-format?t --since=t --until=t --disambiguate=t --local-env-vars --revs-only --no-revs --flags --no-flags | t
git rev-list | reads +digits | -n=t --count --all --max-count=t --reverse --parents --objects --no-merges --merges --first-parent --left-right --since=t --until=t --author=t --branches?t --tags?t --remotes?t --oneline --format=t --cherry-pick --left-only --right-only --not --grep=t --max-parents=t --topo-order --date-order --abbrev-commit --boundary --ancestry-path?t --no-walk?t | t
git cat-file | reads | -t -s -e -p --batch-check?t --batch?t | t
git show-ref | reads +digits | -d -q --tags --heads --verify --quiet --abbrev?t --hash?t --dereference -s?t | t
git for-each-ref | reads +digits | --format=t --sort=t --count=t --points-at=t --merged?t --no-merged?t --contains?t | t
git name-rev | reads +digits | --tags --always --exclude=t --all --name-only | t
git describe | reads +digits | --tags --always --abbrev?t --dirty?t --long --exact-match --match=t --exclude=t --all --first-parent --candidates=t --contains | t
git merge-base | reads +digits | -a --all --is-ancestor --fork-point --octopus --independent | t
git shortlog | reads +digits | -s -n -e -c --exclude=t --all --first-parent --summary --numbered --email --since=t --until=t --group=t --tags?t --format?t | t
git count-objects | reads +digits | -v -H --human-readable --verbose | t
git var | reads +digits |  | t
git whatchanged | reads +digits | -n -q -r -p --quiet --all --name-only --name-status --stat?t --since=t --until=t --oneline | t
git cherry | reads +digits | -v --abbrev?t --verbose --oneline | t
git range-diff | reads +digits | -a -s -p -z -M?t --quiet --abbrev?t --summary --name-only --name-status --stat?t --exit-code --no-renames --shortstat --numstat --no-patch -u | t
git show-branch | reads +digits | -a -r --all --independent | t
git check-ref-format | reads +digits | -a -s -n -e -d -r -p -t --branch | t
git diff-tree | reads +digits | -a -s -r -p -m -z -t -c -M?t --quiet --format=t --abbrev?t --summary --name-only --name-status --stat?t --no-commit-id --root --cached --exit-code --no-renames --shortstat --numstat --oneline --no-patch -u | t
git diff-files | reads +digits | -a -s -q -r -p -z -t -c -M?t --quiet --abbrev?t --summary --name-only --name-status --stat?t --cached --exit-code --no-renames --shortstat --numstat --no-patch -u | t
git diff-index | reads +digits | -a -s -r -p -m -z -t -c -M?t --quiet --abbrev?t --summary --name-only --name-status --stat?t --cached --exit-code --no-renames --shortstat --numstat --no-patch -u | t
git verify-commit | reads +digits | -v --verbose | t
git verify-tag | reads +digits | -v --format=t --verbose | t
git fsck | reads +digits | -v --tags --root --verbose --no-dangling --full | t
git check-ignore | reads | -v -q -n -z --no-index --verbose --quiet --non-matching --stdin | t
git check-attr | reads | -z -a --stdin --all | t
git hash-object | reads | -t=t --stdin --no-filters --path=t | r
git reflog | reads +digits | -n=t --all --date=t --oneline --format=t --no-color | t
git remote | reads +sub | -v --verbose
git remote - | reads
git remote show,git remote get-url | reads | -n --all --push | t
git config | reads | --get --get-all --get-regexp --list -l --global --local --system --worktree --show-origin --show-scope --name-only --null -z --type=t --bool --int --includes --default=t | t .
git branch | reads:project | -a -r -v -vv -q -d -D -m -M -c -C -f -u=t --all --remotes --verbose --list --show-current --contains?t --no-contains?t --merged?t --no-merged?t --sort=t --format=t --points-at=t --delete --move --copy --force --set-upstream-to=t --unset-upstream --track?t --no-track --column?t --no-column --color?t --no-color --abbrev?t --quiet --ignore-case -t?t | t
git tag | reads:project | -l -a -d -f -n?t -m=t -F=r -s -v --list --annotate --delete --force --sort=t --format=t --contains?t --no-contains?t --points-at=t --merged?t --no-merged?t --message=t --file=r --verify --column?t --cleanup=t --no-sign | t
git add,git stage | writes:project | -A -u -v -n -f -N -p -i --all --update --verbose --dry-run --force --intent-to-add --no-all --ignore-errors --chmod=t --renormalize --patch --no-ignore-removal --ignore-removal --sparse --refresh | r
git commit | writes:project +input | -a -m=t -F=r -C=t -v -q -s -n -p -o -i -z -S?t -u?t --all --message=t --file=r --amend --no-edit --allow-empty --allow-empty-message --no-verify --verify --signoff --no-signoff --author=t --date=t --fixup=t --squash=t --reuse-message=t --reset-author --quiet --verbose --dry-run --short --branch --porcelain --long --cleanup=t --no-gpg-sign --only --include --patch --trailer=t --untracked-files?t --status --no-status --pathspec-from-file=r | r
git checkout | writes:project | -b=t -B=t -q -f -l -m -p -d --quiet --force --track?t --no-track --detach --orphan=t --ours --theirs --merge --patch --progress --no-progress --guess --no-guess --ignore-skip-worktree-bits --overlay --no-overlay --recurse-submodules --no-recurse-submodules --conflict=t --ignore-other-worktrees -t?t | t
git switch | writes:project | -c=t -C=t -d -f -q -m --create=t --force-create=t --detach --discard-changes --force --quiet --track?t --no-track --orphan=t --guess --no-guess --merge --progress --no-progress --recurse-submodules --no-recurse-submodules -t?t | t
git restore | writes:project | -s=t -S -W -q -p -m --source=t --staged --worktree --quiet --patch --ours --theirs --merge --progress --no-progress --ignore-unmerged --overlay --no-overlay --pathspec-from-file=r | r
git reset | writes:project | -q -p -N --soft --mixed --hard --merge --keep --quiet --patch --no-refresh --refresh --recurse-submodules --no-recurse-submodules --intent-to-add | t
git clean | writes:project | -n -f -d -x -X -q -e=t -i --dry-run --force --quiet --exclude=t | r
git stash | writes:project +sub | -q -u -k -a -p -m=t --quiet --include-untracked --keep-index --no-keep-index --all --patch --message=t --staged
git stash - | writes:project
git stash push,git stash save | writes:project | -q -u -k -a -p -S -m=t --quiet --include-untracked --no-include-untracked --keep-index --no-keep-index --all --patch --staged --message=t | t
git stash list,git stash show | reads +digits | -p -u -n=t --stat --oneline --patch --include-untracked --only-untracked --name-only --name-status --format=t --date=t | t
git stash pop,git stash apply,git stash drop,git stash branch,git stash clear | writes:project | -q --index --quiet | t
git merge | project | -m=t -q -v -n -X=t --no-ff --ff --ff-only --squash --no-commit --commit --abort --continue --quit --no-edit --message=t --strategy-option=t --quiet --verbose --stat --no-stat --no-verify --verify --allow-unrelated-histories --no-squash --progress --no-progress --autostash --no-autostash --signoff --no-gpg-sign --into-name=t | t
git rebase | project | -q -v -f -r?t -m --continue --abort --skip --quit --onto=t --autosquash --no-autosquash --autostash --no-autostash --root --keep-empty --no-keep-empty --empty=t --rebase-merges?t --no-rebase-merges --committer-date-is-author-date --ignore-date --reset-author-date --no-verify --verify --quiet --verbose --stat --no-stat --no-ff --force-rebase --merge --update-refs --no-update-refs --keep-base --fork-point --no-fork-point --signoff --reapply-cherry-picks --no-gpg-sign | t
git cherry-pick | project | -n -x -m=t -s -X=t --no-commit --continue --abort --skip --quit --mainline=t --no-edit --allow-empty --keep-redundant-commits --signoff --strategy-option=t --ff --no-gpg-sign | t
git revert | project | -n -m=t -s -X=t --no-commit --continue --abort --skip --quit --mainline=t --no-edit --signoff --strategy-option=t --no-gpg-sign | t
git fetch | network:project | -a -p -P -t -n -q -v -f -j=t -4 -6 -k -u --all --prune --prune-tags --tags --no-tags --quiet --verbose --force --depth=t --deepen=t --unshallow --shallow-since=t --dry-run --append --multiple --jobs=t --progress --no-progress --recurse-submodules?t --no-recurse-submodules --set-upstream --atomic --refetch --keep --update-shallow --update-head-ok --no-auto-maintenance --no-auto-gc --filter=t | a
git pull | project | -q -v -r?t -n -p -t -f -4 -6 --rebase?t --no-rebase --ff --ff-only --no-ff --quiet --verbose --all --prune --tags --no-tags --depth=t --autostash --no-autostash --squash --no-commit --commit --no-edit --no-verify --verify --stat --no-stat --strategy-option=t --allow-unrelated-histories --progress --no-progress --recurse-submodules?t --no-recurse-submodules --set-upstream --force --unshallow | a
git push | network:project | -u -q -v -f -n -d -4 -6 --set-upstream --quiet --verbose --force --force-with-lease?t --force-if-includes --no-force-with-lease --dry-run --tags --follow-tags --no-follow-tags --all --branches --mirror --delete --prune --porcelain --progress --no-progress --atomic --no-atomic --no-verify --verify --signed?t --no-signed --push-option=t -o=t --thin --no-thin --recurse-submodules=t --no-recurse-submodules | a
git clone | network:project | -q -v -b=t -n -s -j=t -o=t -l --quiet --verbose --branch=t --depth=t --single-branch --no-single-branch --no-tags --no-checkout --bare --mirror --progress --no-progress --filter=t --sparse --shallow-since=t --origin=t --jobs=t --no-hardlinks --local --no-local --no-shallow-submodules --shallow-submodules --also-filter-submodules --dissociate --revision=t | a w
git init | writes:project | -q -b=t --quiet --bare --initial-branch=t --object-format=t | w
git mv | writes:project | -f -k -n -v --force --dry-run --verbose | p
git rm | writes:project | -r -f -n -q --cached --force --dry-run --quiet --ignore-unmatch --sparse | p
git apply | writes:project +writes | -p=t -R -v -3 -C=t --check --stat --numstat --summary --index --cached --3way --reverse --verbose --whitespace=t --reject --recount --apply --ignore-whitespace --ignore-space-change --unidiff-zero --intent-to-add --allow-empty --exclude=t --include=t | f
git am | project | -3 -q -s -k --abort --continue --skip --quit --3way --signoff --keep --quiet --keep-cr --no-keep-cr --whitespace=t --committer-date-is-author-date | f
git format-patch | writes:project +digits | -o=w -n -N -k -s -q --stdout --output-directory=w --root --signoff --subject-prefix=t --cover-letter --no-stat --start-number=t --base=t --zero-commit | t
git worktree | writes:project +sub |
git worktree list | reads | -v --porcelain -z --verbose
git worktree add | writes:project | -b=t -B=t -f -d -q --force --detach --checkout --no-checkout --lock --quiet --track --no-track --guess-remote --orphan | w t
git worktree remove,git worktree prune,git worktree lock,git worktree unlock,git worktree move,git worktree repair | writes:project | -f -n -v --force --dry-run --verbose --reason=t --expire=t | w
git submodule | reads:project +sub | -q --quiet
git submodule - | reads
git submodule status,git submodule summary | reads | --recursive --cached | t
git submodule update,git submodule init,git submodule sync | network:project | -f -N -j=t --init --recursive --remote --force --depth=t --jobs=t --no-fetch --checkout --merge --rebase --recommend-shallow --no-recommend-shallow --single-branch | t
git bisect | writes:project +sub |
git bisect start,git bisect good,git bisect bad,git bisect new,git bisect old,git bisect skip,git bisect reset,git bisect log | writes:project | --no-checkout --first-parent | t
git notes | writes:project +sub |
git notes show,git notes list | reads |  | t
git notes add,git notes append | writes:project | -f -m=t -F=r --force --message=t --allow-empty | t
git gc | writes:project | -q --auto --aggressive --prune?t --quiet | t
git prune | writes:project | --all --dry-run -n -v | t
git repack | writes:project | -q --quiet -a -d -n | t
git pack-refs | writes:project | --all --prune | t
git maintenance | writes:project +sub |
git maintenance run | writes:project | --auto --quiet --task=t --schedule=t
git update-index | writes:project | -q --refresh --really-refresh --assume-unchanged --no-assume-unchanged --skip-worktree --no-skip-worktree --add --remove --chmod=t --again | r
git update-ref | writes:project | -d -m=t --no-deref | t
git symbolic-ref | writes:project | -d -q -m=t --short --delete --quiet | t
git archive | writes:project | -o=w -l -v --format=t --output=w --prefix=t --list --worktree-attributes --verbose | t
git sparse-checkout | writes:project +sub |
git sparse-checkout set,git sparse-checkout add | writes:project | --cone --no-cone --skip-checks | t
git sparse-checkout list,git sparse-checkout init,git sparse-checkout disable,git sparse-checkout reapply | writes:project | --cone --no-cone | t
git lfs | network:project +sub |
git lfs ls-files,git lfs status,git lfs env,git lfs track,git lfs pull,git lfs fetch,git lfs install,git lfs version | network:project | -a -l -s -n --all --local --skip-smudge --include=t --exclude=t | t
gh | network +sub | --version --help
gh - | says
gh status,gh version | network |  | t
gh browse | network | -n --no-browser | t
gh auth | network +sub |
gh auth status | network | -h=t -a --hostname=t --active
gh repo | network +sub |
gh repo view | network | -b=t -q=t -t=t --json=t --jq=t --template=t --branch=t | t
gh repo list | network | -q=t -t=t -L=t --json=t --jq=t --template=t --limit=t --source --fork --visibility=t --topic=t --language=t --archived --no-archived | t
gh repo clone | network:project | -u=t | t w
gh pr | network +sub | -R=t --repo=t
gh pr list | network | -s=t -L=t -l=t -a=t -A=t -B=t -H=t -S=t -q=t -t=t -d --state=t --limit=t --label=t --assignee=t --author=t --base=t --head=t --search=t --json=t --jq=t --template=t --draft --app=t -R=t --repo=t
gh issue list | network | -s=t -L=t -l=t -a=t -A=t -S=t -q=t -t=t -m=t --state=t --limit=t --label=t --assignee=t --author=t --search=t --json=t --jq=t --template=t --milestone=t --app=t --mention=t -R=t --repo=t
gh issue view,gh pr view | network | -c -q=t -t=t --comments --json=t --jq=t --template=t -R=t --repo=t | t
gh pr diff | network | --name-only --patch --color=t -R=t --repo=t | t
gh pr checks | network | -q=t -t=t -i=t --json=t --jq=t --template=t --required --watch --fail-fast --interval=t -R=t --repo=t | t
gh issue status | network | -q=t -t=t --json=t --jq=t --template=t -R=t --repo=t | t
gh pr status | network | -c -q=t -t=t --json=t --jq=t --template=t -R=t --repo=t --conflict-status | t
gh pr create | network +input | -t=t -b=t -F=r -B=t -H=t -d -f -a=t -r=t -l=t -m=t -p=t --title=t --body=t --body-file=r --base=t --head=t --draft --fill --fill-first --fill-verbose --assignee=t --reviewer=t --label=t --milestone=t --project=t --no-maintainer-edit --dry-run -R=t --repo=t
gh pr checkout | project +writes | -b=t -f --branch=t --force --detach -R=t --repo=t | t
gh pr comment,gh issue comment | network +input | -b=t -F=r --body=t --body-file=r --edit-last --create-if-none -R=t --repo=t | t
gh pr edit | network +input | -t=t -b=t -F=r -m=t -B=t --title=t --body=t --body-file=r --add-label=t --remove-label=t --add-assignee=t --remove-assignee=t --add-reviewer=t --remove-reviewer=t --milestone=t --base=t -R=t --repo=t | t
gh issue edit | network +input | -t=t -b=t -F=r -m=t --title=t --body=t --body-file=r --add-label=t --remove-label=t --add-assignee=t --remove-assignee=t --milestone=t -R=t --repo=t | t
gh pr ready | network +input | --undo -R=t --repo=t | t
gh pr close,gh pr reopen,gh issue reopen | network +input | -R=t --repo=t -c=t --comment=t | t
gh pr review | network +input | -b=t -F=r --body=t --body-file=r -R=t --repo=t -a -c -r --approve --comment --request-changes | t
gh issue create | network +input | -t=t -b=t -F=r -l=t -m=t --title=t --body=t --body-file=r --label=t --assignee=t --milestone=t -R=t --repo=t -a=t | t
gh issue close | network +input | -r=t --reason=t -R=t --repo=t -c=t --comment=t | t
gh issue,gh run | network +sub | -R=t --repo=t
gh run list | network | -w=t -b=t -L=t -s=t -e=t -c=t -u=t -q=t -t=t --workflow=t --branch=t --limit=t --status=t --event=t --commit=t --user=t --json=t --jq=t --template=t -R=t --repo=t
gh run view | network | -v -j=t -a=t -q=t -t=t --log --log-failed --job=t --attempt=t --exit-status --json=t --jq=t --template=t --verbose --compact -R=t --repo=t | t
gh run watch | network | -i=t --exit-status --interval=t --compact -R=t --repo=t | t
gh run download | network:project | -n=t -D=w -p=t --name=t --dir=w --pattern=t -R=t --repo=t | t
gh run rerun | network | -d -j=t --failed --job=t --debug -R=t --repo=t | t
gh run cancel | network | -R=t --repo=t | t
gh workflow | network +sub |
gh workflow list | network | -a -L=t --all --limit=t --json=t --jq=t | t
gh workflow view | network | -y -r=t --yaml --ref=t --json=t --jq=t | t
gh release | network +sub | -R=t --repo=t
gh release list | network | -L=t -q=t -t=t --limit=t --json=t --jq=t --template=t --exclude-drafts --exclude-pre-releases | t
gh release view | network | -L=t -q=t -t=t --limit=t --json=t --jq=t --template=t --exclude-pre-releases | t
gh search | network +sub |
gh api | network | -q=t -t=t -p=t -i --jq=t --template=t --paginate --slurp --preview=t --include --silent --verbose --cache=t | t .
gh search code | network | -L=t -R=t -q=t -l=t --limit=t --repo=t --json=t --jq=t --language=t --owner=t --state=t --author=t --label=t --sort=t --order=t --match=t --filename=t --extension=t | t
gh search issues,gh search prs | network | -L=t -q=t -l=t --limit=t --repo=t --json=t --jq=t --language=t --owner=t --state=t --author=t --label=t --sort=t --order=t --match=t | t
gh search repos | network | -L=t -q=t --limit=t --json=t --jq=t --language=t --owner=t --sort=t --order=t --match=t | t
gh search commits | network | -L=t -q=t --limit=t --repo=t --json=t --jq=t --owner=t --author=t --sort=t --order=t | t
gh label,gh cache,gh variable,gh secret | network +sub |
gh label list,gh cache list,gh variable list | network | -L=t --limit=t --json=t --jq=t
glab,glab mr,glab issue,glab ci | network +sub | -R=t --repo=t
glab mr list,glab mr view,glab mr diff,glab issue list,glab issue view,glab ci list,glab ci status,glab ci view | network | -a -c -P=t -p=t --all --comments --per-page=t --page=t --state=t --author=t --label=t | t
`
