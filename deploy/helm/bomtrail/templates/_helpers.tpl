{{/* The six services, in the order in which a release replaces them (docs/operations/upgrade.md). */}}
{{- define "bomtrail.services" -}}
["scanner", "ingest", "catalog", "reconciler", "notifier", "gateway"]
{{- end }}

{{- define "bomtrail.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "bomtrail.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains (include "bomtrail.name" .) .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "bomtrail.name" .) | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* (root, component): the labels by which pods are selected; they never change. */}}
{{- define "bomtrail.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ include "bomtrail.name" $root }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* (root, component): the labels of an object. */}}
{{- define "bomtrail.labels" -}}
{{- $root := index . 0 -}}
{{ include "bomtrail.selector" . }}
app.kubernetes.io/part-of: bomtrail
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
{{- with $root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* (base, over): one map of both. Unlike mergeOverwrite it lets false, 0 and "" win. */}}
{{- define "bomtrail.merge" -}}
{{- $out := deepCopy (index . 0) -}}
{{- range $key, $value := index . 1 }}
{{- if and (kindIs "map" $value) (kindIs "map" (get $out $key)) }}
{{- $_ := set $out $key (include "bomtrail.merge" (list (get $out $key) $value) | fromYaml) }}
{{- else }}
{{- $_ := set $out $key $value }}
{{- end }}
{{- end }}
{{- toYaml $out }}
{{- end }}

{{/* (root, service): what holds for a service: `defaults`, and over it the block of its name. */}}
{{- define "bomtrail.settled" -}}
{{- $root := index . 0 -}}
{{- include "bomtrail.merge" (list $root.Values.defaults (get $root.Values (index . 1))) }}
{{- end }}

{{/* (root, service, settled) */}}
{{- define "bomtrail.image" -}}
{{- $root := index . 0 -}}
{{- $image := (index . 2).image -}}
{{- $own := printf "%s/%s%s" $root.Values.image.registry $root.Values.image.prefix (index . 1) -}}
{{- $name := default $own $image.repository -}}
{{- $tagged := printf "%s:%s" $name (default $root.Chart.AppVersion $root.Values.image.tag) -}}
{{- if $image.digest }}{{ printf "%s@%s" $tagged $image.digest }}{{ else }}{{ $tagged }}{{ end }}
{{- end }}

{{/* (root, service, settled) */}}
{{- define "bomtrail.serviceAccountName" -}}
{{- $account := (index . 2).serviceAccount -}}
{{- if $account.name }}{{ $account.name }}{{ else if $account.create }}{{ include "bomtrail.fullname" (index . 0) }}-{{ index . 1 }}{{ else }}default{{ end }}
{{- end }}

{{/* A value as the text of an environment variable: whole numbers do not become 6.7e+07. */}}
{{- define "bomtrail.text" -}}
{{- if kindIs "float64" . }}{{ if eq (float64 (int64 .)) . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{/* (text, service): with the service's name in place of {service} and {SERVICE}. */}}
{{- define "bomtrail.ofService" -}}
{{- index . 0 | replace "{service}" (index . 1) | replace "{SERVICE}" (upper (index . 1)) }}
{{- end }}

{{/* Host of the one member of the bundled MongoDB. */}}
{{- define "bomtrail.mongodbHost" -}}
{{- $name := printf "%s-mongodb" (include "bomtrail.fullname" .) -}}
{{- printf "%s-0.%s.%s.svc.%s:27017" $name $name .Release.Namespace .Values.clusterDomain }}
{{- end }}

{{- define "bomtrail.natsHost" -}}
{{- printf "%s-nats.%s.svc.%s" (include "bomtrail.fullname" .) .Release.Namespace .Values.clusterDomain }}
{{- end }}

{{- define "bomtrail.natsMonitoring" -}}
{{- if .Values.nats.bundled.enabled }}{{ include "bomtrail.natsHost" . }}:8222{{ else }}{{ .Values.nats.monitoringEndpoint }}{{ end }}
{{- end }}

{{/* Name of the Secret with the first API key; empty: none. */}}
{{- define "bomtrail.apiKeySecret" -}}
{{- if .Values.apiKey.existingSecret }}{{ .Values.apiKey.existingSecret }}{{ else if .Values.apiKey.create }}{{ include "bomtrail.fullname" . }}-api-key{{ end }}
{{- end }}

{{/* The port on which every service tells how it is. */}}
{{- define "bomtrail.internalPort" -}}9090{{- end }}
