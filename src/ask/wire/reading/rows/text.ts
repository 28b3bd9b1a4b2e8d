/** Programs that print, read and change files, as `row.ts` reads them. */
export const TEXT_ROWS = `
echo,true,false,:,basename,dirname,seq,sleep,yes,pwd,whoami,id,groups,tty,uname,arch,nproc,uptime,free,test,[,expr,cal,factor,numfmt,printenv,logname | says +any
cat,head,tail,wc,ls,grep,egrep,fgrep,stat,du,df,realpath,readlink,md5sum,sha1sum,sha256sum,sha512sum,shasum,md5,cksum,b2sum,tr,cut,paste,fold,fmt,nl,rev,tac,comm,cmp,join,expand,unexpand,hexdump,hd,column,which,whereis,type,pgrep,ps,lscpu,lsblk,vm_stat,sw_vers,od,jq,zcat,gzcat,bzcat,xzcat,zgrep,exa,eza,tokei,getent,nslookup,look,getconf,zipinfo,tsort,pathchk,locale | reads +any
printf | says |  | t
base64,base32 | reads | -d -D -i -w=t --decode --ignore-garbage --wrap=t | r
strings | reads | -a -f -w -o -n=t -t=t -T=t -e=t -U=t -s=t --all --data --print-file-name --bytes=t --radix=t --include-all-whitespace --target=t --encoding=t --unicode=t --output-separator=t | o
size | reads | -A -B -G -o -d -x -t -f --format=t --radix=t --totals --common --target=t | o
iconv | reads | -f=t -t=t -c -l --from-code=t --to-code=t --list | r
file | reads | -b -i -I -k -L -h -z -p -N -r -0 --brief --mime --mime-type --mime-encoding --dereference --keep-going | r
scc | reads | -w -z -d -i=t -x=t -s=t -f=t --by-file --wide --no-cocomo --no-complexity --exclude-dir=t --include-ext=t --exclude-ext=t --sort=t --format=t | r
cloc | reads | --by-file --by-file-by-lang --exclude-dir=t --exclude-ext=t --include-lang=t --include-ext=t --exclude-lang=t --json --yaml --csv --md --quiet --hide-rate --not-match-d=t --match-d=t --fullpath --skip-uniqueness --sum-one | r
lsof | reads | -i?t -s?t -p=t -u=t -c=t -a -d=t -t -n -P -l -R -U -V -w -b -F?t | r
date | says | -u -R -I?t -d=t -r=r -j -v=t --date=t --utc --iso-8601?t --rfc-3339=t -f=t | d
diff,colordiff | reads | -u -r -q -N -w -b -B -i -y -c -s -a -U=t -W=t -x=t -I=t --brief --recursive --unified?t --color?t --side-by-side --ignore-all-space --ignore-space-change --strip-trailing-cr --exclude=t --suppress-common-lines --new-file --text --label=t -L=t --no-index | r
sort | reads | -n -r -u -h -f -b -g -V -s -z -c -C -M -d -i -m -R -k=t -t=t -o=w -S=t -T=t --reverse --unique --numeric-sort --human-numeric-sort --version-sort --key=t --field-separator=t --output=w --stable --check | r
uniq | reads | -c -d -u -i -D -f=t -s=t -w=t -z --count --repeated --unique | r w .
xxd | reads | -p -l=t -s=t -c=t -g=t -u -b -i -e | r w .
tee | writes +input | -a -i --append | w
mkdir | writes | -p -v -m=t --parents --mode=t | p
rmdir | writes | -p -v | p
touch | writes | -a -c -m -d=t -t=t -r=r --no-create --date=t | p
rm | writes | -f -r -R -v -i -I -d --force --recursive --verbose --dir --one-file-system | p
cp | writes | -a -r -R -f -p -v -n -i -u -L -P -H -T -d -x -l -s -t=w --archive --recursive --force --verbose --no-clobber --update --parents --preserve?t --no-preserve=t --reflink?t --target-directory=w | w
mv | writes | -f -v -n -i -u -T -t=w --force --verbose --no-clobber --update --target-directory=w | w
ln | writes | -s -f -n -v -r -T -i --symbolic --force --no-dereference --verbose --relative | w
install | writes | -d -m=t -v -C -D -p -T -t=w --mode=t --directory | w
chmod | writes | -R -v -c -f --recursive --verbose | t p
chown,chgrp | writes | -R -v -c -f -h --recursive --verbose --no-dereference | t p
truncate | writes | -s=t -c -r=r --size=t --no-create | p
dd | writes |  | t
shred | writes | -u -z -v -n=t -f -x --zero --remove?t | p
split | writes | -l=t -b=t -n=t -d -a=t --lines=t --bytes=t --numeric-suffixes?t | r w .
mktemp | writes | -d -t -u -q -p=p --directory --suffix=t --tmpdir?p | p
unlink | writes |  | p
sync | says
unzstd,zstd | writes | -d -k -f -c -v -q -r -t -l -1 -2 -3 -4 -5 -6 -7 -8 -9 --keep --force --decompress --stdout --test --list --quiet -T?t --fast?t | w
unxz,xz | writes | -d -k -f -c -v -q -t -l -1 -2 -3 -4 -5 -6 -7 -8 -9 -T=t --keep --force --decompress --stdout --best --fast --test --list --quiet | w
bunzip2,bzip2 | writes | -d -k -f -c -v -q -t -1 -2 -3 -4 -5 -6 -7 -8 -9 --keep --force --decompress --stdout --best --fast --test --quiet | w
gunzip,gzip | writes | -d -k -f -c -v -q -r -t -l -1 -2 -3 -4 -5 -6 -7 -8 -9 -n -N --keep --force --decompress --stdout --best --fast --test --list --quiet | w
tar | writes:project +writes | -c -x -t -r -u -z -j -J -v -p -k -a -h -m -O -S -f=h -C=p -X=r -T=r --create --extract --list --gzip --bzip2 --xz --zstd --verbose --file=h --directory=p --exclude=t --exclude-vcs --strip-components=t --wildcards --no-same-owner --same-owner --keep-old-files --auto-compress --null --anchored --exclude-from=r --files-from=r --transform=t --owner=t --group=t --mtime=t --sort=t --numeric-owner --no-recursion --one-top-level?p | r
zip | writes:project | -r -q -9 -1 -0 -j -y -X -D -u -x=t -i=t -v -@ | w
unzip | writes:project +writes | -o -q -l -d=w -j -n -v -p -t -Z -1 -x=t -qq -a | r
rg | reads | -n -N -i -S -s -l -L -c -o -v -w -x -F -P -U -z -u -a -p -H -h -I -0 -q -g=t -e=t -f=r -t=t -T=t -A=t -B=t -C=t -m=t -M=t -r=t -d=t -j=t --files --hidden --no-ignore --no-heading --heading --line-number --no-line-number --ignore-case --case-sensitive --smart-case --files-with-matches --files-without-match --count --count-matches --only-matching --invert-match --word-regexp --fixed-strings --multiline --multiline-dotall --glob=t --iglob=t --type=t --type-not=t --type-list --context=t --after-context=t --before-context=t --max-count=t --max-depth=t --max-columns=t --max-filesize=t --replace=t --json --vimgrep --color=t --colors=t --sort=t --sortr=t --stats --no-messages --no-filename --with-filename --column --trim --pcre2 --text --no-config --null --follow --debug --one-file-system --passthru --pretty --regexp=t --engine=t --crlf --binary --no-binary --no-ignore-vcs --no-require-git --encoding=t --quiet | t r
ack | reads | -n -i -l -L -c -o -v -w -Q -A=t -B=t -C=t -m=t --nocolor --nogroup --noheading --column --js --ts --py --go --java --ruby --ignore-dir=t | t r
ag | reads | -n -i -l -L -c -o -v -w -Q -G=t -A=t -B=t -C=t -m=t --hidden --nocolor --nogroup --noheading --column --js --ts --py --go --java --ruby --ignore=t --ignore-dir=t | t r
fd,fdfind | reads | -H -I -u -s -i -g -F -a -l -L -p -0 -q -1 -t=t -e=t -d=t -E=t -c=t -S=t -j=t -o=t --hidden --no-ignore --type=t --extension=t --max-depth=t --min-depth=t --exclude=t --glob --fixed-strings --absolute-path --follow --full-path --print0 --changed-within=t --changed-before=t --size=t --color=t --max-results=t | t r
tree | reads | -a -d -L=t -I=t -P=t -f -i -s -h -D -p -u -g -C -n -l -J -X --noreport --gitignore --dirsfirst --filelimit=t --prune --du --charset=t | r
bat,batcat | reads | -n -p -A -l=t -r=t --plain --number --language=t --line-range=t --style=t --color=t --paging=t --decorations=t --theme=t --no-config | r
yq | reads | -r -e -o=t -p=t -P -C -M -N -j -y -n --output-format=t --input-format=t --raw-output --prettyPrint --no-colors -I=t -c | e r
xmllint | reads | --noout --format --xpath=t --html --nonet --noblanks | r
sqlite3 | reads:project +noinput | -readonly -header -csv -json -column -line -table -markdown -separator=t -box -list -noheader -batch | r q
man | reads | -k -f -a | t
pkill | machine | -f -x -n -o -9 -15 -1 -2 -3 -l -0 -u=t -s=t -KILL -TERM -HUP -INT -QUIT -STOP -CONT -USR1 -USR2 -SIGTERM -SIGKILL -SIGINT -SIGHUP --signal=t --full --exact --newest --oldest | t
killall | machine | -o -9 -15 -1 -2 -3 -l -0 -u=t -s=t -KILL -TERM -HUP -INT -QUIT -STOP -CONT -USR1 -USR2 -SIGTERM -SIGKILL -SIGINT -SIGHUP --signal=t --exact | t
kill | machine | -9 -15 -1 -2 -3 -l -0 -s=t -KILL -TERM -HUP -INT -QUIT -STOP -CONT -USR1 -USR2 -SIGTERM -SIGKILL -SIGINT -SIGHUP --signal=t | t
jobs,fg,bg,times | says | -l -p -r -s | t
hostname | says | -f -s -i -I -d
watchman | reads |  | .
open,xdg-open | machine |  | u
pbcopy,xclip,xsel | machine +input | -sel=t -selection=t -b -i
pbpaste | reads
say,notify-send | machine |  | t
tput | says | -T=t | t
clear,reset | says
lsb_release | reads | -a -c -d -i -r -s
dig | network | +short -t=t -x=t | t
host | network | -t=t | t
ping | network | -c=t -W=t -w=t -i=t -q -n -4 -6 | t
ss | reads | -t -u -l -n -p -a -r -i -s -e -x -4 -6 -H -o | t
netstat | reads | -t -u -l -n -p -a -r -i -s -e -x -4 -6 -o | t
curl | network | -s -S -L -f -v -i -I -k -g -4 -6 -N -q -w=y -H=t -A=t -e=t -m=t -r=t -u=t -b=t -X=t -d=t -F=t -G -O! -J! -R -o=w -D=w -c=w --silent --show-error --location --fail --fail-with-body --verbose --include --head --insecure --globoff --ipv4 --ipv6 --no-buffer --write-out=y --header=t --user-agent=t --referer=t --max-time=t --connect-timeout=t --retry=t --retry-delay=t --retry-connrefused --retry-all-errors --range=t --user=s --cookie=t --request=t --data=t --data-raw=t --data-urlencode=t --data-binary=t --json=t --form=t --get --remote-name! --output=w --dump-header=w --compressed --http1.1 --http2 --http3 --max-redirs=t --no-progress-meter --progress-bar -# --create-dirs --url=u --path-as-is --oauth2-bearer=s --tlsv1.2 | u
wget | network +writes | -q -O=w -P=w -c -N -S -nv -nc -np -nd -r -l=t -t=t -T=t --quiet --output-document=w --directory-prefix=w --spider --server-response --timeout=t --tries=t --header=t --user-agent=t --no-verbose --show-progress --no-check-certificate --content-on-error --max-redirect=t | u
`
