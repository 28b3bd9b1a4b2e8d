/**
 * Where programs are given a secret: `program subcommand | options | operands`. `s` is a secret, `l`
 * what follows the first `:`, `=`, `%` or `,` (`name:password`, `pass:x`), `t` anything else, `c` a
 * command. Other options do not matter here: the rest of a program is in the other rows.
 */
export const SECRET_ROWS = `
mysql,mysqldump,mysqladmin,mysqlimport,mysqlshow,mysqlcheck,mysqlpump,mysqlsh,mariadb,mariadb-dump,mariadb-admin | -p?s --password?s -u=t -h=t -P=t -D=t -e=t |
redis-cli,valkey-cli,keydb-cli | -a=s --pass=s -h=t -p=t -n=t -u=t |
mongo,mongosh,mongodump,mongorestore,mongoexport,mongoimport | -p=s -u=t -h=t -d=t |
sqlcmd,bcp | -P=s -S=t -U=t -d=t -Q=t -i=t |
cqlsh,clickhouse-client,influx | -p=s -u=t |
zip,unzip,zipcloak | -P=s -r -q -j -o -e -d=t |
7z,7za,7zz,7zr,rar,unrar,unar | -p?s -hp?s -password=s |
sshpass | -p=s -P=t -f=t -d=t -e -v | c
curl | -u=l -U=l -E=l --user=l --proxy-user=l --cert=l --pass=s --proxy-pass=s --oauth2-bearer=s --tlspassword=s --proxy-tlspassword=s -H=t -d=t -o=t -X=t -b=t -A=t -e=t -s -S -L -f -k -v -i -I -g -O |
http,https,xh,xhs | -a=l --auth=l |
ab | -A=l -P=l |
wget | --password=s --http-password=s --ftp-password=s --proxy-password=s |
lftp | -u=l -e=t |
smbclient,rpcclient,smbmap,smbget | -U=l --user=l -p=t |
docker login,podman login,buildah login,skopeo login,nerdctl login,helm registry login,oras login,crane auth login,regctl registry login | -p=s -u=t --password=s --username=t |
skopeo | --creds=l --src-creds=l --dest-creds=l |
podman,buildah | --creds=l |
az login | -p=s -u=t |
az keyvault secret set | --value=s -n=t |
aws configure set aws_secret_access_key,aws configure set aws_session_token | | s .
aws secretsmanager create-secret,aws secretsmanager put-secret-value,aws secretsmanager update-secret | --secret-string=s |
aws ssm put-parameter | --value=s |
openssl | -pass=l -passin=l -passout=l -k=s -K=s -kfile=t -in=t -out=t -inkey=t -subj=t |
ldapsearch,ldapadd,ldapmodify,ldapdelete,ldappasswd,ldapwhoami | -w=s -a=t -s=t -D=t -H=t -b=t |
snmpget,snmpwalk,snmpset,snmpbulkwalk,snmptrap | -A=s -X=s -c=s -v=t -u=t -l=t -a=t -x=t |
ipmitool,ipmi-sensors | -P=s -H=t -U=t -I=t |
rdesktop | -p=s -u=t -g=t |
openssl passwd | -salt=t -in=t | s .
ssh-keygen | -N=s -P=s -f=t -t=t -C=t -b=t -m=t |
htpasswd -n | -b -c -B -n -m -C=t -i | t s .
htpasswd | -b -c -B -n -m -C=t -i | t t s .
rabbitmqctl add_user,rabbitmqctl change_password,rabbitmqctl authenticate_user | | t s .
keytool,jarsigner | -storepass=s -keypass=s -srcstorepass=s -deststorepass=s -new=s |
gpg,gpg2 | --passphrase=s |
wpa_passphrase | | t s .
mosquitto_pub,mosquitto_sub,mosquitto_rr | -P=s -u=t -h=t -p=t -t=t -m=t |
tailscale up,tailscale login | --authkey=s --auth-key=s |
ngrok config add-authtoken,ngrok authtoken,ngrok config add-api-key | | s .
cargo login | | s .
twine upload | -p=s -u=t |
poetry publish | -p=s -u=t |
poetry config | | t s .
composer config | | t t s .
dotnet nuget push,nuget push,nuget setapikey | -k=s -ApiKey=s -s=t |
gh secret set | -b=s --body=s |
vault login | | s .
vault kv put,vault write | | t l
heroku config:set,fly secrets set,flyctl secrets set,doppler secrets set,eas secret:create | -a=t -c=t -p=t --app=t --config=t --project=t | l
pulumi config set | --secret | t s .
kubectl create secret,oc create secret | --from-literal=l --docker-password=s |
bw unlock | | s .
bw login | --method=t --code=t | t s .
vercel,now,netlify,surge | -t=s --auth=s |
expo login,eas login | -p=s -u=t |
useradd,usermod | -p=s -g=t -G=t -s=t -d=t -c=t -u=t |
hydra | -p=s -l=t |
`

/**
 * Programs that read a secret from their input, with the words and options that make them do so.
 * `l`: they read `name:password`.
 */
export const INPUT_ROWS = `
sudo -S | s
sudo --stdin | s
passwd | s
smbpasswd | s
chpasswd | l
docker login --password-stdin | s
podman login --password-stdin | s
buildah login --password-stdin | s
skopeo login --password-stdin | s
nerdctl login --password-stdin | s
helm registry login --password-stdin | s
oras login --password-stdin | s
gh auth login --with-token | s
gh secret set | s
vault login - | s
wrangler secret put | s
`
