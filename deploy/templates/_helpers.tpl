{{/* Names are fixed: a cluster has one Septet, as its cluster roles and its Lease are one. */}}
{{- define "septet.labels" -}}
app.kubernetes.io/name: septet
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "septet.secret" -}}
{{ .Values.secret.name | default "septet" }}
{{- end -}}

{{- define "septet.image" -}}
{{ required "image is needed: the whole name of the image that you built and pushed, like registry.example.com/septet:0.1.0." .Values.image }}
{{- end -}}

{{- define "septet.host" -}}
{{ get (urlParse (required "publicUrl is needed for an Ingress or an HTTPRoute: how people reach Septet, https://septet.example.com." .Values.publicUrl)) "host" | splitList ":" | first }}
{{- end -}}

{{/* The files of rights that the switches ask for, by commas, and of what bounds them where the cluster has such policies. */}}
{{- define "septet.actorFiles" -}}
{{- $files := list -}}
{{- range $class, $on := .Values.actor }}{{ if $on }}{{ $files = append $files (printf "actor-%s.yaml" (kebabcase $class)) }}{{ end }}{{ end -}}
{{- if and .Values.actorPolicy (.Capabilities.APIVersions.Has "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy") $files }}{{ $files = append $files "actor-policy.yaml" }}{{ end -}}
{{- if $files }}{{ join "," (prepend $files "actor-base.yaml") }}{{ end -}}
{{- end -}}

{{/* What cannot work is refused before anything is installed. */}}
{{- define "septet.checked" -}}
{{- $own := and (not .Values.secret.name) (not .Values.secret.external) -}}
{{- if and $own (not .Values.admin) }}{{ fail "admin is needed: the e-mail address of who may sign up first. Or name it as SEPTET_AUTHORIZED_EMAIL in a Secret of your own (secret.name)." }}{{ end -}}
{{- if and $own .Values.database.external }}{{ fail "database.external needs a Secret with DATABASE_URL: make it and name it in secret.name, or fill it by secret.external." }}{{ end -}}
{{- if and .Values.secret.name .Values.secret.external }}{{ fail "secret.name and secret.external are both set: name the Secret that you made, or say what fills it." }}{{ end -}}
{{- if and (gt (int .Values.watching.replicas) 1) (not .Values.database.external) }}{{ fail "watching.replicas above 1 needs database.external: pods cannot share Septet's own database, nor its volume." }}{{ end -}}
{{- if and (gt (int .Values.answering.replicas) 0) (not .Values.database.external) }}{{ fail "answering.replicas needs database.external: pods cannot share Septet's own database." }}{{ end -}}
{{- if and .Values.serviceAccounts (not .Values.publicUrl) }}{{ fail "serviceAccounts needs publicUrl: their tokens are issued for that address." }}{{ end -}}
{{- if and .Values.admission (ne .Release.Namespace "septet") }}{{ fail "admission works in the namespace septet only: install with --namespace septet, or leave it off." }}{{ end -}}
{{- end -}}

{{/* What whoever asks the metrics engine is told of it, by the names of settings. */}}
{{- define "septet.metrics" -}}
{{- $all := dict -}}
{{- with .Values.metrics -}}
{{- if ne (empty .aws.region) (empty .aws.secret) }}{{ fail "metrics.aws needs both: the region, and a Secret with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY." }}{{ end -}}
{{- if and .tokenSecret .aws.secret }}{{ fail "metrics.tokenSecret and metrics.aws are both set: one of them signs Septet in." }}{{ end -}}
{{- with .prometheusUrl }}{{ $_ := set $all "SEPTET_PROMETHEUS_URL" . }}{{ end -}}
{{- with .tenant }}{{ $_ := set $all "SEPTET_PROMETHEUS_TENANT" . }}{{ end -}}
{{- with .matchers }}{{ $_ := set $all "SEPTET_PROMETHEUS_MATCHERS" . }}{{ end -}}
{{- $lines := list -}}
{{- range $name, $value := .headers }}{{ $lines = append $lines (printf "%s: %s" $name $value) }}{{ end -}}
{{- with $lines }}{{ $_ := set $all "SEPTET_PROMETHEUS_HEADERS" (join "\n" .) }}{{ end -}}
{{- with .aws.region }}{{ $_ := set $all "SEPTET_PROMETHEUS_AWS_REGION" . }}{{ end -}}
{{- with int .limits.queries }}{{ $_ := set $all "SEPTET_PROMETHEUS_QUERIES" (toString .) }}{{ end -}}
{{- with int .limits.seconds }}{{ $_ := set $all "SEPTET_PROMETHEUS_SECONDS" (toString .) }}{{ end -}}
{{- end -}}
{{ toYaml $all }}
{{- end -}}

{{/* And what nobody may read: a name of a setting, a Secret and a key in it. */}}
{{- define "septet.metricsSecrets" -}}
{{- with .Values.metrics }}
{{- $refs := list -}}
{{- with .tokenSecret }}{{ $refs = append $refs (list "TOKEN" . "token") }}{{ end -}}
{{- with .certificateSecret }}{{ $refs = concat $refs (list (list "CERT" . "tls.crt") (list "KEY" . "tls.key")) }}{{ end -}}
{{- with .aws.secret }}{{ $refs = concat $refs (list (list "AWS_KEY_ID" . "AWS_ACCESS_KEY_ID") (list "AWS_SECRET" . "AWS_SECRET_ACCESS_KEY")) }}{{ end -}}
{{- range $refs }}
- name: SEPTET_PROMETHEUS_{{ index . 0 }}
  valueFrom: { secretKeyRef: { name: {{ index . 1 }}, key: {{ index . 2 }} } }
{{- end }}
{{- end }}
{{- end -}}
