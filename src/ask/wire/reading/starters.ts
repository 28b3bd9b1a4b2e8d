import { SPECIAL } from './special.ts'

// They start what their words, their input or a file names, and have no row here.
const STARTERS = new Set(
  'fish csh tcsh nu elvish xonsh yash mksh rc ion pwsh powershell cmd command busybox toybox osascript wscript cscript perl raku ruby jruby python pypy ipython jython node nodejs deno bun php lua luajit tclsh wish expect Rscript R julia guile racket sbcl clisp scheme ghci runghc ocaml utop erl escript elixir iex groovy scala kotlin jshell java jexec irb pry swift octave sqlplus gdb lldb ed ex vi vim nvim view emacs emacsclient nano pico joe less more most man script screen tmux byobu dtach abduco at batch crontab anacron systemd-run systemctl service launchctl su login sg newgrp runuser setpriv capsh nsenter unshare chroot bwrap firejail proot valgrind perf parallel sem entr watchexec nodemon reflex concurrently foreman hivemind overmind hyperfine flock socat ncat nc netcat telnet ftp sftp lftp mosh rsh openssl rsync tar zip debugfs fakechroot fswatch inotifywait mmv mongo mongosh mysql pax prename proxychains proxychains4 psql redis-cli rename rscript shx start-stop-daemon torsocks trickle watch'.split(
    ' ',
  ),
)

/** Returns true if a program is known to start others, or to run code that it is given. */
export function isStarter(name: string): boolean {
  return Object.hasOwn(SPECIAL, name) || STARTERS.has(name)
}
