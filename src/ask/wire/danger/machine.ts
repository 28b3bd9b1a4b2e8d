import type { CommandRow } from './rows.ts'

const FILES = 'This deletes files without a way back.'
const DISK = 'This overwrites a disk or what is on it.'
const RIGHTS = 'This changes the rights of a whole folder; the old ones are not kept.'
const WORK = 'This throws away work that git keeps nowhere else.'
const HISTORY = 'This rewrites the history of the repository.'
const POWER = 'This stops or restarts the machine.'
const SERVICES = 'This changes the services of the machine.'
const USERS = 'This changes who may use the machine.'
const NETWORK = 'This changes the network rules of the machine.'
const JOBS = 'This changes what the machine runs by itself.'
const MONEY = 'This moves money, which nobody gives back.'

/** What cannot be undone on the machine itself. */
export const MACHINE: readonly CommandRow[] = [
  ['rm -r|-R|-f|--recursive|--force', FILES],
  ['xargs ... rm|unlink|shred', FILES],
  ['parallel ... rm|unlink|shred', FILES],
  ['find|fd|fdfind -delete', FILES],
  ['find|fd|fdfind -exec|-execdir|-ok|-x|-X ... rm|shred|unlink', FILES],
  ['rimraf|trash-empty|srm|unlink', FILES],
  ['rsync --delete|--delete-after|--delete-before|--delete-excluded|--remove-source-files', FILES],
  ['remove-item|ri|rd|rmdir|del|erase -recurse|-force|/s|/q', FILES],
  ['shred', 'This overwrites files so that nobody can restore them.'],
  ['truncate -s|--size', 'This cuts a file; what is cut off is lost.'],
  ['dd ... of=*', DISK],
  ['mkfs|mkfs.*|wipefs|mkswap|blkdiscard|sgdisk|diskpart', DISK],
  ['fdisk|parted|sfdisk|cfdisk', DISK, '-l|--list|--dump'],
  ['diskutil erase*|partition*|apfs|zerodisk|randomdisk', DISK],
  ['format-volume|clear-disk', DISK],
  ['zfs|zpool|lvremove|vgremove|pvremove ... destroy', DISK],
  ['lvremove|vgremove|pvremove', DISK],
  ['cryptsetup luksformat|erase|luksremovekey', DISK],
  ['chmod|chown|chgrp -R|--recursive', RIGHTS],
  ['icacls|takeown /t|/r', RIGHTS],
  ['shutdown|reboot|poweroff|halt|stop-computer|restart-computer', POWER, '-c'],
  ['init|telinit 0|6', POWER],
  ['systemctl stop|restart|disable|mask|kill|isolate|start|enable|reload|daemon-reload', SERVICES],
  ['systemctl reboot|poweroff|halt|suspend|hibernate|rescue|emergency', POWER],
  ['service ... stop|start|restart|reload', SERVICES],
  ['launchctl unload|bootout|load|bootstrap|remove|disable', SERVICES],
  ['sc|sc.exe stop|delete|config', SERVICES],
  ['crontab', JOBS, '-l'],
  ['schtasks /create|/delete|/change', JOBS],
  [
    'useradd|adduser|userdel|deluser|usermod|groupadd|groupdel|passwd|chpasswd|visudo|gpasswd',
    USERS,
  ],
  ['iptables|ip6tables|nft|ufw|firewall-cmd', NETWORK, '-L|-S|--list|--list-all|--state'],
  ['sysctl -w|--write|-p', 'This changes settings of the kernel.'],
  ['reg delete|add|import', 'This changes the registry of the machine.'],
  ['vssadmin|wbadmin delete', 'This deletes backups of the machine.'],
  [
    'apt|apt-get|dnf|yum|zypper|pacman|apk remove|purge|autoremove|erase|del',
    'This removes software of the whole machine.',
  ],
  ['kill|pkill -9|-KILL -1', 'This ends every process of the user.'],
  ['git reset --hard|--merge|--keep', WORK],
  ['git clean -f|-d|-x|-X|--force', WORK, '-n|--dry-run|-i'],
  ['git checkout -f|--force|.|./|:/', WORK],
  ['git checkout --', WORK],
  ['git restore', WORK, '--staged|-S'],
  ['git restore --worktree|-W', WORK],
  ['git switch -f|--force|--discard-changes', WORK],
  ['git stash drop|clear', WORK],
  ['git worktree remove --force|-f', WORK],
  ['git branch -D', 'This deletes a branch with commits that may be nowhere else.'],
  ['git branch --delete --force', 'This deletes a branch with commits that may be nowhere else.'],
  ['git update-ref -d', HISTORY],
  ['git filter-branch|filter-repo', HISTORY],
  ['git-filter-repo|bfg', HISTORY],
  ['git reflog expire|delete', HISTORY],
  ['git gc --prune', HISTORY],
  ['gpg --delete-secret-keys|--delete-secret-and-public-key', 'This deletes a key.'],
  ['cast send', MONEY],
  ['bitcoin-cli sendtoaddress|sendmany|send', MONEY],
  ['solana|near|gaiad transfer|send', MONEY],
  ['stripe ... create|refund|capture|confirm', MONEY],
]
