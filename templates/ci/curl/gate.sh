#!/bin/sh
# A gate with nothing but sh and curl. Needs BOMTRAIL_URL, BOMTRAIL_API_KEY, BOMTRAIL_PROJECT (a slug),
# BOMTRAIL_SERVICE, VERSION, SBOM; FAIL_ON is high where it is not set.
# Ends with 0 pass, 1 findings, 3 no answer, 4 undecided.
set -eu
ask() { printf 'header = "Authorization: Bearer %s"\n' "$BOMTRAIL_API_KEY" | curl -sS --fail-with-body --retry 5 --max-time 120 --config - "$@"; }
stored=$(ask "$BOMTRAIL_URL/api/v1/sboms/upload" --form-string "project_slug=$BOMTRAIL_PROJECT" --form-string "service_name=$BOMTRAIL_SERVICE" --form-string "version=$VERSION" -F "file=@$SBOM") || { echo "$stored" >&2; exit 3; }
id=$(printf '%s' "$stored" | sed -n 's/.*"id":"\([0-9a-f-]*\)".*/\1/p')
said=$(ask "$BOMTRAIL_URL/api/v1/sboms/$id/verdict?fail_on=${FAIL_ON:-high}&wait=60") || { echo "$said" >&2; exit 3; }
echo "$said"
case $said in
  *'"verdict":"pass"'*) exit 0 ;;
  *'"verdict":"fail"'*) exit 1 ;;
  *) exit 4 ;;
esac
