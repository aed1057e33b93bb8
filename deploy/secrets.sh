#!/bin/sh
# Make the secrets of compose.yaml once: a token, a cookie secret, PostgreSQL's password and its address. Where an
# identity provider gives the client secret, write that into oidc_client_secret.
# What is there already is kept. The folder is closed to others; the files are readable to the container's user.
set -eu
cd "$(dirname "$0")"
umask 022
mkdir -p secrets
chmod 700 secrets
random() { od -An -tx1 -N24 /dev/urandom | tr -d ' \n'; }
for name in api_token cookie_secret oidc_client_secret postgres_password; do
    [ -s "secrets/$name" ] || random >"secrets/$name"
done
[ -s secrets/database_url ] ||
    printf 'postgresql://wirespeed:%s@db/wirespeed' "$(cat secrets/postgres_password)" >secrets/database_url
echo "secrets: $(pwd)/secrets; programs send the content of api_token"
