#!/bin/sh
# A gate with nothing but sh and curl. Needs BOMTRAIL_URL, BOMTRAIL_API_KEY, BOMTRAIL_PROJECT (a slug),
# BOMTRAIL_SERVICE, VERSION, SBOM; FAIL_ON is high and ONLY_NEW false where they are not set.
# It uploads the document. For pull requests set COMMAND=check, which judges it and stores nothing.
# Exit codes, as of the command line: 0 pass, 1 findings, 2 the call is wrong (key, project, document),
# 3 no answer, try later, 4 undecided.
set -eu
for name in BOMTRAIL_URL BOMTRAIL_API_KEY BOMTRAIL_PROJECT BOMTRAIL_SERVICE VERSION SBOM; do
  eval "value=\${$name-}"
  # Not left to `set -u`: some shells end with 1 then, which means findings.
  if [ -z "$value" ]; then
    echo "$name is not set." >&2
    exit 2
  fi
done
BOMTRAIL_URL=${BOMTRAIL_URL%/}
gate="fail_on=${FAIL_ON:-high}&only_new=${ONLY_NEW:-false}"
case ${COMMAND:-upload} in
  upload) path=sboms/upload ;;
  check) path="sboms/check?$gate" ;;
  *)
    echo "COMMAND is upload or check, not $COMMAND." >&2
    exit 2
    ;;
esac
# In a file: on standard output the body of a response that curl retries would precede that of the last one.
body=$(mktemp) || exit 3
trap 'rm -f "$body"' EXIT

# Sets `answer` to the body of a successful response; ends the script for any other.
request() {
  failed=0
  : > "$body"
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$BOMTRAIL_API_KEY" |
    curl -sS --retry 5 --retry-max-time 300 --max-time 120 --config - -o "$body" -w '%{http_code}' "$@") || failed=$?
  # 26: curl cannot read the document.
  if [ "$failed" -eq 26 ]; then exit 2; fi
  if [ "$failed" -ne 0 ]; then exit 3; fi
  answer=$(cat "$body")
  case $status in 2??) return ;; esac
  echo "$status $answer" >&2
  case "$status $answer" in
    408* | 429* | 5??*) exit 3 ;;
    *'"code":"not_found"'* | *'"code":"method_not_allowed"'*) exit 3 ;;
    422* | 4??*'"code":"'*) exit 2 ;;
    *) exit 3 ;;
  esac
}
request "$BOMTRAIL_URL/api/v1/$path" --form-string "project_slug=$BOMTRAIL_PROJECT" --form-string "service_name=$BOMTRAIL_SERVICE" --form-string "version=$VERSION" -F "file=@\"$SBOM\""
if [ "$path" = sboms/upload ]; then
  id=$(printf '%s' "$answer" | sed -n 's/.*"id":"\([0-9a-f-]*\)".*/\1/p')
  request "$BOMTRAIL_URL/api/v1/sboms/$id/verdict?$gate&wait=60"
fi
printf '%s\n' "$answer"
case $answer in
  *'"verdict":"pass"'*) exit 0 ;;
  *'"verdict":"fail"'*) exit 1 ;;
  *'"verdict":'*) exit 4 ;;
  # Such as the page at which a proxy asks people to sign in.
  *) exit 3 ;;
esac
