import type { CommandRow } from './rows.ts'

const CHANGES = 'This changes running infrastructure.'
const DELETES = 'This deletes infrastructure, with what is stored in it.'
const STATE = 'This changes what the tool believes to exist; a mistake there orphans or deletes it.'
const CLUSTER = 'This changes what runs in a cluster.'
const STORAGE = 'This deletes stored files.'
const CONTAINERS = 'This deletes containers, images or volumes, with their data.'
const DATABASE = 'This deletes data of a database.'

/** What changes machines, clusters, clouds and databases. */
export const INFRASTRUCTURE: readonly CommandRow[] = [
  ['terraform|tofu|terragrunt|pulumi|cdk|cdktf|serverless|sls ... destroy|remove', DELETES],
  ['terraform|tofu|terragrunt ... apply|import|taint|untaint|run-all', CHANGES],
  ['terraform|tofu|terragrunt state rm|mv|push|replace-provider', STATE],
  ['terraform|tofu|terragrunt workspace delete', STATE],
  ['terraform|tofu|terragrunt force-unlock', STATE],
  ['pulumi up|update|refresh|import|cancel', CHANGES],
  ['pulumi stack rm', DELETES],
  ['cdk|cdktf deploy|rollback|import', CHANGES],
  ['sam|fly|flyctl|heroku|railway|eb ... delete|destroy|apps:destroy|terminate|down', DELETES],
  ['kubectl|oc delete|drain', 'This deletes what runs in a cluster, or takes a machine out of it.'],
  [
    'kubectl|oc apply|create|replace|patch|scale|edit|set|label|annotate|taint|cordon|expose',
    CLUSTER,
  ],
  ['kubectl|oc rollout restart|undo|pause|resume', CLUSTER],
  ['helm|helmfile uninstall|delete|destroy', 'This deletes what runs in a cluster.'],
  ['helm|helmfile install|upgrade|rollback|apply|sync', CLUSTER],
  ['argocd app sync|delete|set|rollback', CLUSTER],
  ['flux delete|reconcile|suspend|resume', CLUSTER],
  ['aws s3 rm|rb', STORAGE],
  ['aws s3 sync --delete', STORAGE],
  ['gsutil|rclone|mc|s3cmd|azcopy ... rm|rb|del|delete|purge|remove|rmdir', STORAGE],
  [
    'gsutil|rclone|mc|s3cmd|azcopy ... cp|copy|sync|mirror|put|mv|move',
    'This copies files to or from storage elsewhere.',
  ],
  ['aws|gcloud|az ... delete*|terminate*|remove*|destroy*|purge*|deregister*', DELETES],
  [
    'aws|gcloud|az ... create*|update*|put-*|modify*|run-*|start*|stop*|reboot*|restart*|attach*|detach*|authorize*|set-*|add-*|resize|scale|invoke|publish|reset*',
    'This changes something in the cloud.',
  ],
  ['aws s3 mv|mb', 'This changes stored files.'],
  ['doctl|linode-cli|hcloud|scw|ibmcloud|oci ... delete|destroy|remove|terminate', DELETES],
  ['vault ... delete|destroy|metadata|write|put', 'This changes or deletes secrets.'],
  [
    'ansible-playbook|ansible',
    'This changes other machines.',
    '--check|-C|--syntax-check|--list-hosts|--list-tasks|--version',
  ],
  ['docker|podman|nerdctl rm|rmi', CONTAINERS],
  ['docker|podman|nerdctl ... prune', CONTAINERS],
  ['docker|podman volume|container|image|network|system|secret|config rm|remove|reset', CONTAINERS],
  ['docker|podman compose down -v|--volumes|--rmi', CONTAINERS],
  ['docker-compose down|rm -v|--volumes|--rmi', CONTAINERS],
  ['docker|podman run|exec --privileged', 'This gives a container the whole machine.'],
  ['dropdb|dropuser', DATABASE],
  ['redis-cli ... flushall|flushdb', DATABASE],
  ['mysqladmin ... drop', DATABASE],
  ['rails|rake ... db:drop*|db:reset*|db:schema:load', DATABASE],
  ['prisma ... migrate reset', DATABASE],
  ['npx|bunx|pnpm|yarn|npm ... prisma migrate reset', DATABASE],
  ['prisma ... --force-reset|--accept-data-loss', DATABASE],
  ['artisan|php ... migrate:fresh|migrate:reset|db:wipe', DATABASE],
  ['manage.py|python|python3|django-admin ... flush|reset_db', DATABASE],
  ['supabase db reset', DATABASE],
  ['pg_restore --clean|-c', DATABASE],
]
