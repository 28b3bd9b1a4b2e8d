/** Containers, clusters, clouds, databases and the machine. Only what is looked at often. */
export const SYSTEM_ROWS = `
docker,podman,nerdctl | machine +sub | --version -v --context=t -c=t
docker - | says
docker ps | reads | -a -q -n=t -l -s -f=t --all --quiet --no-trunc --format=t --filter=t --last=t --size | t
docker images | reads | -a -q -f=t --all --quiet --no-trunc --format=t --filter=t --digests | t
docker info,docker version | reads | -f=t --format=t | t
docker search | reads | -f=t --no-trunc --format=t --filter=t | t
docker inspect | reads | -s -f=t --format=t --size --type=t | t
docker logs | reads | --tail=t -f --follow -n=t -t --timestamps --since=t --until=t --details | t
docker diff,docker top,docker port | reads |  | t
docker stats | reads | -a --all --no-trunc --format=t --no-stream | t
docker history | reads | -q --quiet --no-trunc --format=t | t
docker events | reads | -f=t --format=t --filter=t --since=t --until=t | t
podman ps,podman images,podman info,podman inspect,podman logs,podman version | reads | -a -q -n=t -l -s -f=t -t --all --quiet --no-trunc --format=t --filter=t --last=t --size --type=t --tail=t --since=t --until=t --follow --timestamps --details --no-stream --digests | t
docker container,docker image,docker network,docker volume,docker system,docker context,docker buildx,docker builder,docker manifest,docker scout | machine +sub |
docker image list,docker image ls,docker container list,docker container ls | reads | -a -q -f=t --all --quiet --format=t --filter=t --no-trunc | t
docker system info,docker volume inspect,docker image inspect,docker container inspect | reads | -f=t --format=t | t
docker container logs | reads | --tail=t -f --follow -n=t -t --timestamps --since=t --until=t --details | t
docker image history | reads | -q --quiet --format=t --no-trunc | t
docker network ls | reads | -q -f=t --quiet --format=t --filter=t --no-trunc | t
docker network inspect | reads | -f=t -v --format=t --verbose | t
docker volume ls | reads | -q -f=t --quiet --format=t --filter=t | t
docker system df | reads | -v --format=t --verbose | t
docker context ls | reads | -q --quiet --format=t | t
docker context show | reads | -v | t
docker buildx ls,docker buildx version,docker buildx inspect | reads | -a -q -f=t -v --all --quiet --format=t --filter=t --no-trunc --tail=t --verbose | t
docker manifest inspect | reads | -v --verbose | t
docker build | project | -t=t -f=f -q --tag=t --file=f --target=t --build-arg=t --no-cache --pull --platform=t --progress=t --quiet --label=t --network=t --rm --load | f
docker start | machine | -a -i | t
docker stop,docker restart | machine | -t=t | t
docker pause,docker unpause,docker wait,docker attach,docker rename,docker tag | machine |  | t
podman start,podman stop | machine | -t=t -a -i --time=t | t
docker pull,podman pull | network | -q --quiet --platform=t --all-tags | t
docker create | network | -q --quiet --platform=t | t
docker rm | machine | -f -v -l --force --volumes | t
docker rmi | machine | -f --force --no-prune | t
podman rm,podman rmi | machine | -f -v -l --force --volumes --no-prune | t
docker cp | writes | -a -L -q | r w
docker compose,docker-compose | project +sub | -f=f -p=t --file=f --project-name=t --profile=t --env-file=f --project-directory=f --ansi=t --progress=t --version
docker compose version,docker-compose version | says | --short
docker compose ps,docker compose logs,docker compose config,docker compose images,docker compose top,docker compose port,docker compose ls,docker compose events,docker compose stats,docker-compose ps,docker-compose logs,docker-compose config,docker-compose images,docker-compose top | reads:project | -a -q -f -t -n=t --all --quiet --services --status=t --filter=t --format=t --follow --tail=t --timestamps --since=t --until=t --no-color --no-log-prefix --volumes --images --profiles --no-interpolate --no-stream --hash=t | t
docker compose up,docker compose build,docker compose start,docker compose stop,docker compose restart,docker compose down,docker compose pull,docker compose create,docker compose watch,docker compose pause,docker compose unpause,docker compose kill,docker compose rm,docker-compose up,docker-compose build,docker-compose start,docker-compose stop,docker-compose restart,docker-compose down,docker-compose pull,docker-compose rm | project | -d -t=t -V -v -q -f -s --detach --build --no-build --force-recreate --no-recreate --remove-orphans --wait --wait-timeout=t --no-deps --timeout=t --scale=t --pull?t --no-cache --quiet-pull --volumes --rmi=t --abort-on-container-exit --exit-code-from=t --renew-anon-volumes --always-recreate-deps --progress=t --build-arg=t --no-log-prefix --quiet --ignore-pull-failures --parallel --attach=t --no-start --stop --force | t
docker compose cp,docker-compose cp | writes | -a -L | r w
kubectl,oc,k | network +sub | -n=t --namespace=t --context=t --cluster=t --kubeconfig=f --request-timeout=t -v=t --as=t --user=t
kubectl get | network | -n=t -o=t -l=t -A -w -k=r -L=t -R --namespace=t --output=t --selector=t --all-namespaces --watch --context=t --show-labels --no-headers --sort-by=t --field-selector=t --filename=r --recursive --ignore-not-found --raw=t --request-timeout=t --kubeconfig=f --template=t --label-columns=t -f=r | t
kubectl describe | network | -n=t -l=t -A -k=r -R --namespace=t --selector=t --all-namespaces --context=t --filename=r --recursive --request-timeout=t --kubeconfig=f -f=r --show-events?t | t
kubectl logs | network | -n=t -l=t -f -c=t -p --namespace=t --selector=t --follow --container=t --previous --tail=t --since=t --since-time=t --timestamps --all-containers --context=t --prefix --limit-bytes=t --max-log-requests=t --request-timeout=t --kubeconfig=f | t
kubectl top | network | -n=t --namespace=t --context=t --request-timeout=t --kubeconfig=f -l=t -A --selector=t --all-namespaces --containers --sort-by=t --no-headers | t
kubectl cluster-info,kubectl api-versions | network | -n=t --namespace=t --context=t --request-timeout=t --kubeconfig=f | t
kubectl explain | network | -n=t -o=t --namespace=t --output=t --context=t --recursive --request-timeout=t --kubeconfig=f | t
kubectl api-resources | network | -n=t -o=t --namespace=t --output=t --context=t --no-headers --sort-by=t --request-timeout=t --kubeconfig=f --api-group=t --verbs=t --namespaced?t | t
kubectl version | network | -n=t -o=t --namespace=t --output=t --context=t --client --request-timeout=t --kubeconfig=f | t
kubectl diff | network | -n=t -l=t -k=r -R --namespace=t --selector=t --context=t --filename=r --recursive --request-timeout=t --kubeconfig=f -f=r | t
kubectl events | network | -n=t -o=t -A -w --namespace=t --output=t --all-namespaces --watch --context=t --no-headers --for=t --request-timeout=t --kubeconfig=f --template=t --types=t | t
kubectl wait | network | -n=t -o=t -l=t -A -R --namespace=t --output=t --selector=t --all-namespaces --context=t --field-selector=t --filename=r --recursive --for=t --timeout=t --request-timeout=t --kubeconfig=f --template=t -f=r | t
oc get,oc describe,oc logs,oc status,oc whoami,k get,k describe,k logs | network | -n=t -o=t -l=t -A -w -f -c=t -p -k=r -L=t -R --namespace=t --output=t --selector=t --all-namespaces --watch --follow --container=t --previous --tail=t --since=t --since-time=t --timestamps --all-containers --context=t --show-labels --no-headers --sort-by=t --field-selector=t --filename=r --recursive --ignore-not-found --prefix --limit-bytes=t --max-log-requests=t --for=t --timeout=t --client --short --show-events=t --containers --raw=t --request-timeout=t --kubeconfig=f --template=t --api-group=t --namespaced=t --verbs=t --types=t --label-columns=t --no-color | t
kubectl auth | network +sub |
kubectl auth can-i | network | -n=t -A --namespace=t --all-namespaces --list --as=t | t
kubectl auth whoami | network | -n=t --namespace=t --as=t -o=t | t
kubectl config | reads +sub |
kubectl config view | reads | -o=t --minify --output=t | t
kubectl config get-contexts | reads | -o=t --output=t --no-headers | t
kubectl config current-context,kubectl config get-clusters | reads |  | t
kubectl rollout | network +sub | -n=t --namespace=t
kubectl rollout status | network | -n=t -w --watch --timeout=t --revision=t --namespace=t | t
kubectl rollout history | network | -n=t --revision=t --namespace=t | t
kubectl port-forward | network | -n=t --address=t --namespace=t | t
kubectl proxy | network | -n=t --address=t --port=t --namespace=t | t
kubectl apply | network +input | -f=r -k=r -n=t -l=t -o=t -R --filename=r --kustomize=r --namespace=t --selector=t --dry-run?t --server-side --force-conflicts --prune --validate=t --output=t --force --grace-period=t --wait?t --all --overwrite --timeout=t --cascade=t --recursive --context=t --save-config --field-manager=t | t
kubectl create | network +input | -f=r -k=r -n=t -l=t -o=t -R --filename=r --kustomize=r --namespace=t --selector=t --dry-run?t --validate=t --output=t --recursive --context=t --save-config --field-manager=t | t
kubectl delete | network +input | -f=r -k=r -n=t -l=t -o=t -R -A --filename=r --kustomize=r --namespace=t --selector=t --dry-run?t --output=t --force --grace-period=t --wait?t --all --timeout=t --now --cascade=t --ignore-not-found --recursive --context=t --all-namespaces | t
kubectl scale | network +input | -f=r -k=r -n=t -l=t -o=t -R --filename=r --kustomize=r --namespace=t --selector=t --dry-run?t --output=t --all --replicas=t --timeout=t --recursive --context=t --current-replicas=t | t
kubectl patch | network +input | -f=r -k=r -n=t -o=t -R -p=t --filename=r --kustomize=r --namespace=t --dry-run?t --output=t --type=t --patch=t --recursive --context=t --field-manager=t | t
kubectl annotate,kubectl label | network +input | -f=r -k=r -n=t -l=t -o=t -R -A --filename=r --kustomize=r --namespace=t --selector=t --dry-run?t --output=t --all --overwrite --recursive --context=t --field-manager=t --all-namespaces | t
kubectl replace | network +input | -f=r -k=r -n=t -o=t -R --filename=r --kustomize=r --namespace=t --dry-run?t --validate=t --output=t --force --grace-period=t --wait?t --timeout=t --cascade=t --recursive --context=t --save-config --field-manager=t | t
kubectl set | network +input | -n=t --namespace=t --context=t | t
kubectl uncordon,kubectl cordon | network +input | -n=t -l=t --namespace=t --selector=t --dry-run?t --context=t | t
kubectl drain | network +input | -n=t -l=t --namespace=t --selector=t --dry-run?t --force --grace-period=t --timeout=t --context=t --ignore-daemonsets --delete-emptydir-data | t
kubectl taint | network +input | -n=t -l=t -o=t --namespace=t --selector=t --dry-run?t --validate=t --output=t --all --overwrite --context=t --field-manager=t | t
kubectl expose | network +input | -f=r -k=r -n=t -l=t -o=t -R --filename=r --kustomize=r --namespace=t --selector=t --dry-run?t --output=t --type=t --recursive --context=t --save-config --field-manager=t | t
kubectl autoscale | network +input | -f=r -k=r -n=t -o=t -R --filename=r --kustomize=r --namespace=t --dry-run?t --output=t --recursive --context=t --save-config --field-manager=t | t
helm | network +sub | -n=t --namespace=t --kube-context=t --kubeconfig=f --debug
helm list,helm ls,helm status,helm history,helm get,helm show,helm search,helm version,helm env,helm lint,helm template,helm verify,helm dependency,helm repo | network:project | -n=t -a -A -f=r -o=t -q -r --all --all-namespaces --output=t --short --max=t --values=r --set=t --set-string=t --show-only=t --version=t --namespace=t --revision=t --devel --versions --strict --validate --api-versions=t --kube-version=t --include-crds --name-template=t --generate-name --repo=t --skip-tests --debug | t
kustomize | project +sub |
kustomize build,kustomize version | project | --enable-helm --load-restrictor=t | f
tofu,terraform | project +sub | -chdir=f -version
terraform console | project +single | -var=t -var-file=r -state=f | t
tofu init,terraform init | project +single | -no-color -input?t -lock?t -lock-timeout=t -backend?t -backend-config=f -upgrade -reconfigure -migrate-state -get?t -lockfile=t | t
terraform get | project +single | -no-color | t
terraform version | project +single | -json | t
terraform graph | project +single |  | t
tofu output,terraform output | project +single | -no-color -json -raw -state=f | t
tofu show,terraform show,tofu validate,terraform validate | project +single | -no-color -json | t
tofu plan,terraform plan | project +single | -var=t -var-file=r -out=w -no-color -input?t -lock?t -lock-timeout=t -refresh?t -refresh-only -destroy -target=t -compact-warnings -detailed-exitcode -parallelism=t -state=f -replace=t | t
tofu fmt,terraform fmt | writes:project +single | -recursive -check -diff -no-color -write?t -list?t | p
terraform providers | project +single |  | .
terraform workspace,terraform state | project +sub |
terraform state pull | project +single |  | t
terraform state show | project +single | -state=r | t
terraform state list | project +single | -state=r -id=t | t
terraform workspace select,terraform workspace show,terraform workspace list | project +single |  | t
pulumi | project +sub | -s=t --stack=t -C=f --cwd=f --version
pulumi preview,pulumi whoami,pulumi about,pulumi version,pulumi logs | project | -s=t -v --stack=t --diff --json --show-secrets --non-interactive -f | t
pulumi stack,pulumi config | reads:project +sub | -s=t --stack=t
pulumi stack -,pulumi config - | reads:project
pulumi stack ls,pulumi stack output,pulumi config get | reads:project | -s=t --stack=t --json -j | t
aws,gcloud,az | network +sub | --profile=t --region=t --output=t --no-cli-pager --query=t --version --project=t --format=t -v
aws s3,aws sts,aws ec2,aws lambda,aws logs,aws iam,aws ecs,aws rds,aws cloudformation,aws dynamodb,aws sqs,aws sns,aws ecr,aws route53,aws cloudwatch,aws secretsmanager,aws ssm,aws eks,aws configure | network +sub | --profile=t --region=t --output=t --no-cli-pager --query=t
aws s3 ls | network | --recursive --human-readable --summarize --profile=t --region=t --request-payer=t --no-sign-request | t
aws sts get-caller-identity,aws ec2 describe-instances,aws ec2 describe-regions,aws ec2 describe-vpcs,aws ec2 describe-subnets,aws ec2 describe-security-groups,aws lambda list-functions,aws lambda get-function,aws logs describe-log-groups,aws logs tail,aws logs filter-log-events,aws iam list-roles,aws iam list-users,aws iam get-role,aws ecs list-clusters,aws ecs list-services,aws ecs describe-services,aws ecs list-tasks,aws ecs describe-tasks,aws rds describe-db-instances,aws cloudformation describe-stacks,aws cloudformation list-stacks,aws cloudformation describe-stack-events,aws dynamodb list-tables,aws dynamodb describe-table,aws sqs list-queues,aws sns list-topics,aws ecr describe-repositories,aws ecr list-images,aws route53 list-hosted-zones,aws cloudwatch describe-alarms,aws eks list-clusters,aws eks describe-cluster,aws configure list | network | --profile=t --region=t --output=t --query=t --filters=t --instance-ids=t --function-name=t --log-group-name=t --log-group-name-prefix=t --filter-pattern=t --start-time=t --end-time=t --since=t --follow --format=t --max-items=t --limit=t --cluster=t --services=t --tasks=t --stack-name=t --table-name=t --repository-name=t --role-name=t --name=t --no-cli-pager --db-instance-identifier=t --page-size=t --no-paginate | t
gcloud config,gcloud projects,gcloud auth,gcloud compute,gcloud run,gcloud container,gcloud logging,gcloud iam,gcloud sql,gcloud storage,gcloud services,gcloud functions,gcloud builds,gcloud app | network +sub | --project=t --format=t --region=t --zone=t
gcloud config list,gcloud config get-value,gcloud config get,gcloud projects list,gcloud projects describe,gcloud auth list,gcloud services list,gcloud logging read,gcloud storage ls,gcloud app browse,gcloud app logs | network | --project=t --format=t --filter=t --limit=t --enabled --region=t --freshness=t --order=t | t
gcloud compute instances,gcloud run services,gcloud container clusters,gcloud sql instances,gcloud builds log,gcloud functions logs | network +sub | --project=t --format=t --region=t --zone=t
gcloud compute instances list,gcloud compute instances describe,gcloud run services list,gcloud run services describe,gcloud container clusters list,gcloud container clusters describe,gcloud sql instances list,gcloud sql instances describe | network | --project=t --format=t --region=t --zone=t --filter=t --limit=t --platform=t --uri | t
az account,az group,az vm,az webapp,az aks,az acr,az storage,az resource,az functionapp | network +sub | -o=t --output=t --query=t
az account show,az account list,az group list,az group show,az vm list,az vm show,az webapp list,az webapp show,az aks list,az aks show,az acr list,az resource list,az functionapp list | network | -g=t -n=t -o=t -d --resource-group=t --name=t --output=t --query=t --subscription=t
psql | network:elsewhere | -c=q -f=f -h=t -p=t -U=t -d=n -A -t -q -X -x -l -v=v -F=t -P=t -1 -w --command=q --file=f --host=t --port=t --username=t --dbname=n --tuples-only --no-align --quiet --no-psqlrc --list --csv --set=v --expanded --single-transaction --no-password --version -V --field-separator=t --variable=v | n t
pg_dump | network | -h=t -p=t -U=t -d=n -F=t -f=w -t=t -n=t -s -a -c -O -x -v -w -T=t -j=t --schema-only --data-only --format=t --file=w --table=t --schema=t --no-owner --no-privileges --no-acl --host=t --port=t --username=t --dbname=n --exclude-table=t --inserts --clean --if-exists --verbose -Z=t | n
pg_dumpall | network | -h=t -p=t -U=t -d=n -f=w -s -a -c -O -x -v -w --schema-only --data-only --file=w --no-owner --no-privileges --no-acl --host=t --port=t --username=t --dbname=n --inserts --clean --if-exists --verbose -t | n
pg_isready | network | -h=t -p=t -U=t -d=n -t=t -q | t
createdb | network | -h=t -p=t -U=t -O=t -E=t -T=t --owner=t | t
redis-cli | network +sub | -h=t -p=t -n=t -a=t -u=t --no-auth-warning --raw --scan --pattern=t --stat --latency --bigkeys -r=t -i=t
redis-cli - | network
redis-cli get,redis-cli GET,redis-cli mget,redis-cli MGET,redis-cli keys,redis-cli KEYS,redis-cli scan,redis-cli SCAN,redis-cli exists,redis-cli EXISTS,redis-cli ttl,redis-cli TTL,redis-cli pttl,redis-cli PTTL,redis-cli type,redis-cli TYPE,redis-cli strlen,redis-cli STRLEN,redis-cli getrange,redis-cli GETRANGE,redis-cli dbsize,redis-cli DBSIZE,redis-cli info,redis-cli INFO,redis-cli ping,redis-cli PING,redis-cli hget,redis-cli HGET,redis-cli hgetall,redis-cli HGETALL,redis-cli hkeys,redis-cli HKEYS,redis-cli hvals,redis-cli HVALS,redis-cli hlen,redis-cli HLEN,redis-cli hexists,redis-cli HEXISTS,redis-cli hmget,redis-cli HMGET,redis-cli lrange,redis-cli LRANGE,redis-cli llen,redis-cli LLEN,redis-cli lindex,redis-cli LINDEX,redis-cli smembers,redis-cli SMEMBERS,redis-cli scard,redis-cli SCARD,redis-cli sismember,redis-cli SISMEMBER,redis-cli zrange,redis-cli ZRANGE,redis-cli zcard,redis-cli ZCARD,redis-cli zscore,redis-cli ZSCORE,redis-cli xlen,redis-cli XLEN,redis-cli xrange,redis-cli XRANGE,redis-cli pfcount,redis-cli PFCOUNT,redis-cli memory,redis-cli MEMORY,redis-cli time,redis-cli TIME,redis-cli echo,redis-cli ECHO | network |  | t
systemctl,launchctl | machine +sub | --user --system --no-pager -q --quiet -l
service | machine +sub | 
systemctl status,systemctl is-active,systemctl is-enabled,systemctl list-units,systemctl list-unit-files,systemctl show,systemctl cat,systemctl list-timers,systemctl is-failed,systemctl list-dependencies,launchctl list,launchctl print | reads | -l -n=t -a -p=t -o=t --no-pager --full --all --type=t --state=t --lines=t --user --failed --plain --no-legend --property=t --value --output=t | t
systemctl start,systemctl stop,systemctl restart,systemctl reload,systemctl enable,systemctl disable,systemctl daemon-reload,systemctl mask,systemctl unmask | machine | --user --now --no-block --system --force | t
journalctl | reads | -u=t -n=t -f -k -x -e -r -p=t -o=t -t=t -S=t -U=t -g=t --unit=t --user-unit=t --lines=t --follow --no-pager --since=t --until=t --priority=t --output=t --user --grep=t --reverse --catalog --dmesg -q --quiet --disk-usage --identifier=t --no-hostname -b?t --boot?t | t
dmesg | reads | -T -H -k -l=t -w -x --level=t --human --ctime --color?t
crontab | reads | -l
top,htop | reads | -b -n=t -l=t -o=t -p=t -u=t -s=t -d=t -c -H -i
sysctl | reads | -a -n | g
ip | reads +sub | -4 -6 -br -s -j -o -c?t
ip addr,ip a,ip route,ip link,ip neigh,ip -br,ip r | reads |  | 
ifconfig,mount,swapon | reads
openssl | reads +sub |
openssl version | reads | -sha256 -sha1 -sha512 -md5 -a | r
openssl x509 | reads | -in=r -noout -text -dates -subject -issuer -fingerprint -sha256 -sha1 -sha512 -md5 -enddate -a -serial -pubkey -ext=t | r
openssl dgst | reads | -sha256 -sha1 -sha512 -md5 -hex -a | r
openssl verify | reads | -sha256 -sha1 -sha512 -md5 -a -CAfile=r | r
openssl rand | reads | -sha256 -sha1 -sha512 -md5 -hex -base64 -a | r
ssh-keygen | reads | -l -f=w -F=t -y -E=t -v -lf=r -yf=r | t
rsync | writes:elsewhere | -a -v -r -z -n -u -h -P -l -p -t -c -i -x -A -X -H -q -L --archive --verbose --recursive --compress --dry-run --progress --delete --exclude=t --include=t --human-readable --stats --update --checksum --partial --ignore-existing --existing --size-only --itemize-changes --info=t --exclude-from=r --files-from=r --mkpath --no-perms --no-owner --no-group --links --chmod=t --bwlimit=t --filter=t --relative -R | r w
scp | network:elsewhere | -r -p -q -C -v -P=t -4 -6 -B -3 | r w
patch | writes:project +writes +file | -p=t -R -N -s -i=f --dry-run --strip=t --reverse --forward --quiet --silent --verbose --input=f -E -u | p f
ffprobe,mediainfo,pdfinfo | reads | -v=t -show_format -show_streams -of=t -print_format=t -layout -q -s -json -verbose -format=t -hide_banner -select_streams=t -show_entries=t -f=t -l=t | r
pdftotext | reads | -layout -raw -nopgbrk -q -f=t -l=t | r w .
exiftool | reads | -s -j -G -a -u -n -g | r
`
