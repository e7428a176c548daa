{{/* (root, service, settled): the plain settings of a service, as a map. The chart's own win: they are what ports, volumes and probes rely on. */}}
{{- define "bomtrail.env" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- $it := index . 2 -}}
{{- $values := $root.Values -}}
{{- $env := dict -}}
{{- range $name, $value := $it.env }}
{{- $text := ternary "" (include "bomtrail.text" $value) (kindIs "invalid" $value) }}
{{- if $text }}{{ $_ := set $env $name $text }}{{ end }}
{{- end }}
{{- $_ := set $env "INTERNAL_HTTP_PORT" (include "bomtrail.internalPort" $root) }}
{{- $_ := set $env "SHUTDOWN_GRACE_SECONDS" (include "bomtrail.text" $it.shutdownGraceSeconds) }}
{{- $_ := set $env "MONGODB_DATABASE_PREFIX" $values.mongodb.databasePrefix }}
{{- if $values.mongodb.bundled.enabled }}
{{- $_ := set $env "MONGODB_URI" (printf "mongodb://%s/?replicaSet=bomtrail" (include "bomtrail.mongodbHost" $root)) }}
{{- else if not $values.mongodb.uriKey }}
{{- $_ := set $env "MONGODB_URI" $values.mongodb.uri }}
{{- end }}
{{- with $values.mongodb.username }}{{ $_ := set $env "MONGODB_USERNAME" (include "bomtrail.ofService" (list . $service)) }}{{ end }}
{{- $_ := set $env "NATS_URL" (ternary (printf "nats://%s:4222" (include "bomtrail.natsHost" $root)) $values.nats.url $values.nats.bundled.enabled) }}
{{- with $values.nats.user }}{{ $_ := set $env "NATS_USER" (include "bomtrail.ofService" (list . $service)) }}{{ end }}
{{- if not (hasKey $env "NATS_REPLICAS") }}{{ with $values.nats.replicas }}{{ $_ := set $env "NATS_REPLICAS" (include "bomtrail.text" .) }}{{ end }}{{ end }}
{{- if not (hasKey $env "NATS_STORAGE_BYTES") }}{{ with $values.nats.storageBytes }}{{ $_ := set $env "NATS_STORAGE_BYTES" (include "bomtrail.text" .) }}{{ end }}{{ end }}
{{- with $values.nats.tlsServerName }}{{ $_ := set $env "NATS_TLS_SERVERNAME" . }}{{ end }}
{{- if has $service (list "ingest" "scanner" "reconciler") }}
{{- $_ := set $env "BOMTRAIL_GARBAGE_GRACE_SECONDS" (include "bomtrail.text" $values.garbageGraceSeconds) }}
{{- end }}
{{- if has $service (list "gateway" "notifier") }}
{{- with $values.publicUrl }}{{ $_ := set $env "PUBLIC_URL" . }}{{ end }}
{{- $_ := set $env "ALERT_ALLOW_PRIVATE_WEBHOOKS" (toString $values.allowPrivateWebhooks) }}
{{- end }}
{{- if and (eq $service "notifier") (hasKey $values.gateway.env "WEB_PAGE") }}
{{- $_ := set $env "WEB_PAGE" (include "bomtrail.text" $values.gateway.env.WEB_PAGE) }}
{{- end }}
{{- if has $service (list "scanner" "notifier") }}
{{- with $values.outgoing.httpsProxy }}{{ $_ := set $env "HTTPS_PROXY" . }}{{ end }}
{{- with $values.outgoing.httpProxy }}{{ $_ := set $env "HTTP_PROXY" . }}{{ end }}
{{- with $values.outgoing.noProxy }}{{ $_ := set $env "NO_PROXY" . }}{{ end }}
{{- if $values.outgoing.caConfigMap }}{{ $_ := set $env "NODE_EXTRA_CA_CERTS" "/etc/bomtrail/outgoing-ca/ca.pem" }}{{ end }}
{{- end }}
{{- if eq $service "gateway" }}
{{- $_ := set $env "HTTP_PORT" "8080" }}
{{- $_ := set $env "GRPC_PORT" "50051" }}
{{- $_ := set $env "BOMTRAIL_TEMP_DIR" $it.scratch.path }}
{{- if and (not (hasKey $env "TRUSTED_PROXY_HOPS")) (or $values.ingress.enabled $values.gatewayApi.enabled) }}
{{- $_ := set $env "TRUSTED_PROXY_HOPS" "1" }}
{{- end }}
{{- /* Said outright: else it is what holds for REST, and whoever calls gRPC past a proxy could make up an address. */}}
{{- if not (hasKey $env "GRPC_TRUSTED_PROXY_HOPS") }}
{{- $_ := set $env "GRPC_TRUSTED_PROXY_HOPS" (ternary "1" "0" (or $values.ingress.grpc.enabled $values.gatewayApi.grpc.enabled)) }}
{{- end }}
{{- end }}
{{- toYaml $env }}
{{- end }}

{{/* (root, service, settled): the settings out of Secrets, `{SETTING: {secret, key}}`. */}}
{{- define "bomtrail.secretEnv" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- $out := dict -}}
{{- $mongodb := $root.Values.mongodb -}}
{{- $nats := $root.Values.nats -}}
{{- $keys := list
  (list "MONGODB_URI" $mongodb.existingSecret $mongodb.uriKey)
  (list "MONGODB_PASSWORD" $mongodb.existingSecret $mongodb.passwordKey)
  (list "NATS_PASSWORD" $nats.existingSecret $nats.passwordKey)
  (list "NATS_NKEY" $nats.existingSecret $nats.nkeyKey)
  (list "NATS_CREDS" $nats.existingSecret $nats.credsKey)
  (list "NATS_TLS_CA" $nats.existingSecret $nats.caKey)
  (list "NATS_TLS_CERT" $nats.existingSecret $nats.certKey)
  (list "NATS_TLS_KEY" $nats.existingSecret $nats.keyKey) -}}
{{- range $keys }}
{{- if index . 2 }}
{{- $_ := set $out (index . 0) (dict "secret" (index . 1) "key" (include "bomtrail.ofService" (list (index . 2) $service))) }}
{{- end }}
{{- end }}
{{- if and (eq $service "gateway") (include "bomtrail.apiKeySecret" $root) }}
{{- $_ := set $out "BOMTRAIL_BOOTSTRAP_API_KEY" (dict "secret" (include "bomtrail.apiKeySecret" $root) "key" $root.Values.apiKey.key) }}
{{- end }}
{{- range $name, $from := (index . 2).secretEnv }}{{ $_ := set $out $name $from }}{{ end }}
{{- toYaml $out }}
{{- end }}

{{/* Mistakes that no schema sees. Each stops the rendering with what to do. */}}
{{- define "bomtrail.checks" -}}
{{- $mongodb := .Values.mongodb -}}
{{- $nats := .Values.nats -}}
{{- if and $mongodb.bundled.enabled (or $mongodb.uri $mongodb.uriKey $mongodb.username $mongodb.passwordKey) }}
{{- fail "mongodb: set either bundled.enabled or an address with its user, not both." }}
{{- end }}
{{- if not (or $mongodb.bundled.enabled $mongodb.uri $mongodb.uriKey) }}
{{- fail "mongodb: set uri (or existingSecret and uriKey) to a replica set of yours, or bundled.enabled for trying out." }}
{{- end }}
{{- if and $mongodb.uri $mongodb.uriKey }}{{ fail "mongodb: uri and uriKey both name an address; drop one." }}{{ end }}
{{- if and (or $mongodb.uriKey $mongodb.passwordKey) (not $mongodb.existingSecret) }}{{ fail "mongodb: uriKey and passwordKey need existingSecret." }}{{ end }}
{{- if and $nats.bundled.enabled (or $nats.url $nats.user $nats.existingSecret) }}
{{- fail "nats: set either bundled.enabled or url with its user, not both." }}
{{- end }}
{{- if and $nats.bundled.enabled (gt (int $nats.replicas) 1) }}{{ fail "nats: replicas needs a cluster of yours (url); the bundled NATS is one server." }}{{ end }}
{{- if not (or $nats.bundled.enabled $nats.url) }}
{{- fail "nats: set url to a NATS of yours with JetStream, or bundled.enabled for trying out." }}
{{- end }}
{{- if and (or $nats.passwordKey $nats.nkeyKey $nats.credsKey $nats.caKey $nats.certKey $nats.keyKey) (not $nats.existingSecret) }}{{ fail "nats: the keys need existingSecret." }}{{ end }}
{{- if and .Values.apiKey.create .Values.apiKey.existingSecret }}{{ fail "apiKey: set either create or existingSecret, not both." }}{{ end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) }}{{ fail "ingress: hosts is empty." }}{{ end }}
{{- if and .Values.ingress.grpc.enabled (not .Values.ingress.grpc.hosts) }}{{ fail "ingress.grpc: hosts is empty." }}{{ end }}
{{- if and (or .Values.gatewayApi.enabled .Values.gatewayApi.grpc.enabled) (not .Values.gatewayApi.parentRefs) }}{{ fail "gatewayApi: parentRefs is empty." }}{{ end }}
{{- if and .Values.hostMetrics.enabled (not .Values.hostMetrics.serviceName) }}{{ fail "hostMetrics: serviceName is empty." }}{{ end }}
{{- range $service := include "bomtrail.services" . | fromYamlArray }}
{{- $it := include "bomtrail.settled" (list $ $service) | fromYaml }}
{{- $plain := include "bomtrail.env" (list $ $service $it) | fromYaml }}
{{- range $name, $_ := include "bomtrail.secretEnv" (list $ $service $it) | fromYaml }}
{{- if hasKey $plain $name }}{{ fail (printf "%s: %s comes from a Secret and as a plain value; drop one." $service $name) }}{{ end }}
{{- end }}
{{- /* The pod's grace period is counted from these. */}}
{{- $hidden := keys $it.secretEnv }}
{{- range $it.extraEnv }}{{ $hidden = append $hidden .name }}{{ end }}
{{- if has "SHUTDOWN_GRACE_SECONDS" $hidden }}{{ fail (printf "%s: SHUTDOWN_GRACE_SECONDS is set by shutdownGraceSeconds." $service) }}{{ end }}
{{- if has "SHUTDOWN_DRAIN_SECONDS" $hidden }}{{ fail (printf "%s: SHUTDOWN_DRAIN_SECONDS belongs into env." $service) }}{{ end }}
{{- if eq $it.autoscaling.type "keda" }}
{{- if not $it.autoscaling.triggers }}{{ fail (printf "%s.autoscaling: keda needs triggers, and this service has none; take hpa." $service) }}{{ end }}
{{- if not (include "bomtrail.natsMonitoring" $) }}{{ fail "nats.monitoringEndpoint: KEDA needs it." }}{{ end }}
{{- end }}
{{- end }}
{{- if not .Values.image.registry }}
{{- range $service := include "bomtrail.services" . | fromYamlArray }}
{{- if not (include "bomtrail.settled" (list $ $service) | fromYaml).image.repository }}
{{- fail "image.registry: set the registry and path of bomtrail's images, such as registry.example.org/bomtrail. Only the chart of a release names one; for images loaded into the nodes take localhost or docker.io/library." }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
