{{/* What every pod has: nothing here is more than the Pod Security level restricted permits. */}}
{{- define "assay.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "assay.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "assay.pullSecrets" -}}
{{- with .Values.images.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* assay.scheduling (list $ $settings "api"): where pods of a component run. */}}
{{- define "assay.scheduling" -}}
{{- $root := index . 0 -}}
{{- $settings := index . 1 -}}
{{- with $settings.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $settings.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $settings.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $settings.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "assay.selectorLabels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ index $ 2 }}
  {{- end }}
{{- end -}}

{{/* assay.podMetadata (list $ $settings "api"): labels and annotations of the pods of a component. */}}
{{- define "assay.podMetadata" -}}
{{- $root := index . 0 -}}
{{- $settings := index . 1 -}}
labels:
  {{- include "assay.labels" $root | nindent 2 }}
  app.kubernetes.io/component: {{ index . 2 }}
  {{- if eq $root.Values.objectStore.azure.credentials "identity" }}
  azure.workload.identity/use: "true"
  {{- end }}
  {{- with $settings.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $settings.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The Secrets with certificates, by the folder below /etc/assay into which they are mounted. */}}
{{- define "assay.certificateSecrets" -}}
{{- $secrets := dict -}}
{{- $_ := set $secrets "database" .Values.database.tls.existingSecret -}}
{{- $_ := set $secrets "redis" .Values.redis.tls.existingSecret -}}
{{- $_ := set $secrets "temporal" (ternary .Values.temporal.tls.existingSecret "" .Values.temporal.tls.enabled) -}}
{{- $_ := set $secrets "object-store" .Values.objectStore.ca.existingSecret -}}
{{- $secrets | toJson -}}
{{- end -}}

{{- define "assay.volumeMounts" -}}
- name: scratch
  mountPath: /tmp
{{- range $folder, $secret := include "assay.certificateSecrets" . | fromJson }}
{{- if $secret }}
- name: {{ $folder }}-certificates
  mountPath: /etc/assay/{{ $folder }}
  readOnly: true
{{- end }}
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* assay.volumes (list $ $sizeLimit $storageClassName): /tmp, and the Secrets with certificates. */}}
{{- define "assay.volumes" -}}
{{- $root := index . 0 -}}
{{- $sizeLimit := index . 1 -}}
- name: scratch
{{- with index . 2 }}
  ephemeral:
    volumeClaimTemplate:
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: {{ . }}
        resources:
          requests:
            storage: {{ $sizeLimit }}
{{- else }}
  emptyDir:
    sizeLimit: {{ $sizeLimit }}
{{- end }}
{{- range $folder, $secret := include "assay.certificateSecrets" $root | fromJson }}
{{- if $secret }}
- name: {{ $folder }}-certificates
  secret:
    secretName: {{ $secret }}
    defaultMode: 0440
{{- end }}
{{- end }}
{{- with $root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/*
assay.resources (list $resources $scratchSize): with ephemeral storage for /tmp and logs, unless the user sets it. The
scheduler then picks a node with enough disk.
*/}}
{{- define "assay.resources" -}}
{{- $resources := deepCopy (index . 0) -}}
{{- $storage := dict "ephemeral-storage" (index . 1) -}}
{{- range list "requests" "limits" -}}
{{- $_ := set $resources . (merge (default dict (index $resources .)) $storage) -}}
{{- end -}}
{{- toYaml $resources -}}
{{- end -}}

{{/* assay.probes "http": the process lives (/healthz), and can work (/readyz). */}}
{{- define "assay.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: {{ . }} }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: {{ . }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: {{ . }} }
  periodSeconds: 5
  timeoutSeconds: 4
  failureThreshold: 2
{{- end -}}
