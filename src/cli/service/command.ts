import { type Command, JSON_OUT } from '../../platform/command.ts'

/** The row of `beckon service` in the table of commands. */
export const SERVICE: Command = {
  name: 'service',
  summary: 'run the server as a service: systemd, launchd or a Windows task',
  usage: [
    'service install [--system] [--data DIR] [--force] [--dry-run] [-- SERVE OPTIONS…]',
    'service status [--system] [--json]',
    'service logs [--system] [--follow] [-n N]',
    'service uninstall [--system]',
    'service run --log FILE [-- SERVE OPTIONS…]',
  ],
  options: [
    ['--system', 'the service of the whole machine instead of your own; for root'],
    [
      '--data DIR',
      'install: the data folder (default: where this system keeps data, or ./data with data in it)',
    ],
    ['SERVE OPTIONS', 'install: options of beckon serve, such as -- --base-url URL'],
    ['--force', 'install: replace a file that was changed by hand; it is kept beside the new one'],
    ['--dry-run', 'install: show the file and the commands, and change nothing'],
    ['--follow', 'logs: go on with what is added'],
    ['-n N', 'logs: the last N lines (default: 50)'],
    ['--log FILE', 'run: serve with its output in FILE, and start it again when it fails'],
    JSON_OUT,
    ['exit code', 'status: 0 running and ready, 1 not'],
  ],
  example: 'beckon service install -- --base-url https://beckon.example.com',
  examples: {
    install: 'beckon service install -- --base-url https://beckon.example.com',
    status: 'beckon service status --json',
    logs: 'beckon service logs --follow',
    uninstall: 'beckon service uninstall',
    run: 'beckon service run --log beckon.log -- --port 8484',
  },
  load: async () => {
    const { service } = await import('./service.ts')
    return (args) => service(args)
  },
}
