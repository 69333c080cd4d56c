{{/* The pods that watch, or those that only answer (role: answer). */}}
{{- define "septet.deployment" -}}
{{- $ := .root -}}
{{- $watches := eq .role "all" -}}
{{- $acts := and $watches (include "septet.actorFiles" $) -}}
{{- $embeds := and $watches (not $.Values.database.external) -}}
{{- $reviews := gt (len $.Values.serviceAccounts) 0 -}}
{{- $component := ternary "watching" "answering" $watches -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ ternary "septet" "septet-answering" $watches }}
  namespace: {{ $.Release.Namespace }}
  labels: {{- include "septet.labels" $ | nindent 4 }}
spec:
  {{- if $embeds }}
  # Two that share a data directory would be in each other's way.
  replicas: 1
  strategy: { type: Recreate }
  {{- else }}
  replicas: {{ (ternary $.Values.watching $.Values.answering $watches).replicas }}
  # The next pod follows the clusters before the one it replaces gives them up.
  strategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
  {{- end }}
  selector:
    matchLabels: { app.kubernetes.io/name: septet, app.kubernetes.io/component: {{ $component }} }
  template:
    metadata:
      labels:
        {{- include "septet.labels" $ | nindent 8 }}
        app.kubernetes.io/component: {{ $component }}
    spec:
      {{- if $watches }}
      serviceAccountName: septet-reader
      {{- else if $reviews }}
      serviceAccountName: septet-answering
      {{- end }}
      automountServiceAccountToken: {{ or $watches $reviews }}
      # A Service named septet would put SEPTET_PORT and others into the environment, which Septet takes for settings.
      enableServiceLinks: false
      terminationGracePeriodSeconds: 60
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        # PostgreSQL refuses files that a group may write: only the volume's own folder is handed over.
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile: { type: RuntimeDefault }
      {{- with $.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- if not (or $embeds $.Values.scheduling.topologySpreadConstraints) }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: { app.kubernetes.io/name: septet, app.kubernetes.io/component: {{ $component }} }
      {{- end }}
      {{- with $.Values.scheduling }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
      containers:
        - name: septet
          image: {{ include "septet.image" $ | quote }}
          imagePullPolicy: {{ $.Values.imagePullPolicy }}
          ports:
            - { name: http, containerPort: 7070 }
            {{- if $.Values.admission }}
            - { name: admission, containerPort: 9443 }
            {{- end }}
          envFrom:
            - secretRef: { name: {{ include "septet.secret" $ }} }
          env:
            {{- range $name, $value := fromYaml (include "septet.environment" (dict "root" $ "watches" $watches "acts" $acts)) }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
            {{- if $watches }}
            {{- with include "septet.metricsSecrets" $ | trim }}{{ . | nindent 12 }}{{ end }}
            {{- end }}
          startupProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 2
            failureThreshold: 90
          livenessProbe:
            httpGet: { path: /healthz, port: http }
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            timeoutSeconds: 5
          resources: {{- toYaml $.Values.resources | nindent 12 }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            - { name: data, mountPath: /data }
            {{- if $embeds }}
            - { name: shared-memory, mountPath: /dev/shm }
            {{- end }}
            {{- if $acts }}
            - { name: actor, mountPath: /etc/septet/actor, readOnly: true }
            {{- end }}
            {{- if $.Values.caConfigMap }}
            - { name: authorities, mountPath: /etc/septet/authorities, readOnly: true }
            {{- end }}
      volumes:
        - name: tmp
          emptyDir: { sizeLimit: 1Gi }
        {{- if $embeds }}
        - name: data
          persistentVolumeClaim: { claimName: {{ $.Values.database.existingClaim | default "septet" }} }
        # Large queries of PostgreSQL share more than the 64 MiB that a container has.
        - name: shared-memory
          emptyDir: { medium: Memory, sizeLimit: 256Mi }
        {{- else }}
        - name: data
          emptyDir: { sizeLimit: 1Gi }
        {{- end }}
        {{- if $acts }}
        - name: actor
          projected:
            sources:
              - secret: { name: septet-actor }
              - configMap: { name: septet-actor }
        {{- end }}
        {{- if $.Values.caConfigMap }}
        - name: authorities
          configMap: { name: {{ $.Values.caConfigMap }} }
        {{- end }}
{{- end -}}

{{/* Settings by name. Those of `settings` win over what the other values say. */}}
{{- define "septet.environment" -}}
{{- $ := .root -}}
{{- $all := dict "SEPTET_DEMO" (ternary "on" "off" $.Values.demo) -}}
{{- with $.Values.admin }}{{ $_ := set $all "SEPTET_AUTHORIZED_EMAIL" . }}{{ end -}}
{{- with $.Values.publicUrl }}{{ $_ := set $all "SEPTET_PUBLIC_URL" . }}{{ end -}}
{{- if $.Values.admission }}{{ $_ := set $all "SEPTET_ADMISSION_PORT" "9443" }}{{ end -}}
{{- if $.Values.caConfigMap }}{{ $_ := set $all "NODE_EXTRA_CA_CERTS" "/etc/septet/authorities/ca.crt" }}{{ end -}}
{{- with $.Values.serviceAccounts }}{{ $_ := set $all "SEPTET_SERVICE_ACCOUNTS" (join "," .) }}{{ end -}}
{{- if or .watches $.Values.serviceAccounts -}}
{{- $_ := set $all "SEPTET_KUBECONFIG" "in-cluster" -}}
{{- $_ := set $all "SEPTET_CLUSTER_NAME" $.Values.clusterName -}}
{{- end -}}
{{- if .watches -}}
{{- $_ := set $all "SEPTET_NAMESPACE" $.Release.Namespace -}}
{{- with $.Values.gpuOperator.namespace }}{{ $_ := set $all "SEPTET_OPERATOR_NAMESPACE" . }}{{ end -}}
{{- $all = merge $all (fromYaml (include "septet.metrics" $)) -}}
{{- with $.Values.metrics.exporterTargets }}{{ $_ := set $all "SEPTET_EXPORTER_TARGETS" (join "," .) }}{{ end -}}
{{- if .acts }}{{ $_ := set $all "SEPTET_ACTOR_KUBECONFIG" "/etc/septet/actor/kubeconfig" }}{{ end -}}
{{- else -}}
{{- $_ := set $all "SEPTET_ROLE" "answer" -}}
{{- end -}}
{{ toYaml (mergeOverwrite $all $.Values.settings) }}
{{- end -}}
