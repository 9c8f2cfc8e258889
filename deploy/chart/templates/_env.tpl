{{/* assay.secretVariable (list $ "KEY_PEPPER" $existingSecret $key): a variable from a Secret of the user. */}}
{{- define "assay.secretVariable" -}}
{{- $root := index . 0 -}}
- name: {{ index . 1 }}
  valueFrom:
    secretKeyRef:
      name: {{ default $root.Values.existingSecret (index . 2) }}
      key: {{ index . 3 }}
{{- end -}}

{{/* assay.variables: the variables of every role. All roles read and check all of them. */}}
{{- define "assay.variables" -}}
{{- $values := .Values -}}
- name: ASSAY_MODE
  value: production
{{ include "assay.secretVariable" (list . "KEY_PEPPER" "" "KEY_PEPPER") }}
{{ include "assay.secretVariable" (list . "WEBHOOK_SECRETS_KEY" "" "WEBHOOK_SECRETS_KEY") }}
{{- with $values.database }}
{{ include "assay.secretVariable" (list $ "DATABASE_URL" .existingSecret .urlKey) }}
{{- if and .tls.existingSecret .tls.caKey }}
- name: DATABASE_CA_FILE
  value: /etc/assay/database/{{ .tls.caKey }}
{{- end }}
{{- end }}
{{- with $values.redis }}
{{ include "assay.secretVariable" (list $ "REDIS_URL" .existingSecret .urlKey) }}
{{- if .tls.existingSecret }}
{{- include "assay.fileVariables" (list "redis" .tls (dict "REDIS_CA_FILE" "caKey" "REDIS_CERT_FILE" "certKey" "REDIS_KEY_FILE" "privateKeyKey")) }}
{{- end }}
{{- end }}
{{- include "assay.temporalVariables" . }}
{{- include "assay.storageVariables" . }}
{{- range $name, $value := $values.config }}
- name: {{ $name }}
  value: {{ ternary (toJson $value) (toString $value) (kindIs "map" $value) | quote }}
{{- end }}
{{- with $values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* assay.migrationVariables: the URL of the owner of the tables, if the Secret contains it. Only for the migration. */}}
{{- define "assay.migrationVariables" -}}
{{- with .Values.database -}}
- name: MIGRATION_DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ coalesce .migration.existingSecret .existingSecret $.Values.existingSecret }}
      key: {{ .migration.urlKey }}
      optional: true
{{- end }}
{{- end -}}

{{/* assay.fileVariables (list "redis" .tls (dict VARIABLE field …)): a variable for each file that is set. */}}
{{- define "assay.fileVariables" -}}
{{- $folder := index . 0 -}}
{{- $tls := index . 1 -}}
{{- range $variable, $field := index . 2 }}
{{- with index $tls $field }}
- name: {{ $variable }}
  value: /etc/assay/{{ $folder }}/{{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "assay.temporalVariables" -}}
{{- with .Values.temporal }}
- name: TEMPORAL_ADDRESS
  value: {{ .address | quote }}
- name: TEMPORAL_NAMESPACE
  value: {{ .namespace | quote }}
{{- with .queuePrefix }}
- name: TEMPORAL_QUEUE_PREFIX
  value: {{ . | quote }}
{{- end }}
{{- if .apiKey.enabled }}
{{ include "assay.secretVariable" (list $ "TEMPORAL_API_KEY" .apiKey.existingSecret .apiKey.key) }}
{{- end }}
{{- if .tls.enabled }}
- name: TEMPORAL_TLS
  value: "true"
{{- with .tls.serverName }}
- name: TEMPORAL_TLS_SERVER_NAME
  value: {{ . | quote }}
{{- end }}
{{- if .tls.existingSecret }}
{{- include "assay.fileVariables" (list "temporal" .tls (dict "TEMPORAL_TLS_CA_FILE" "caKey" "TEMPORAL_TLS_CERT_FILE" "certKey" "TEMPORAL_TLS_KEY_FILE" "privateKeyKey")) }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "assay.storageVariables" }}
- name: OBJECT_STORE
  value: {{ .Values.objectStore.type }}
{{- with .Values.objectStore.azure }}
{{- if .account }}
- name: BLOB_URL
  value: {{ default (printf "https://%s.blob.core.windows.net" .account) .url | quote }}
{{- with .publicUrl }}
- name: BLOB_PUBLIC_URL
  value: {{ . | quote }}
{{- end }}
- name: BLOB_ACCOUNT
  value: {{ .account | quote }}
- name: BLOB_CONTAINER
  value: {{ .container | quote }}
{{- if eq .credentials "secret" }}
{{ include "assay.secretVariable" (list $ "BLOB_ACCOUNT_KEY" .existingSecret .accountKeyKey) }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.objectStore.s3 }}
{{- if .bucket }}
- name: S3_BUCKET
  value: {{ .bucket | quote }}
{{- range $name, $value := dict "S3_REGION" .region "S3_ENDPOINT" .endpoint "S3_PUBLIC_ENDPOINT" .publicEndpoint "S3_FORCE_PATH_STYLE" .forcePathStyle }}
{{- with $value }}
- name: {{ $name }}
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- if eq .credentials "secret" }}
{{ include "assay.secretVariable" (list $ "S3_ACCESS_KEY_ID" .existingSecret .accessKeyIdKey) }}
{{ include "assay.secretVariable" (list $ "S3_SECRET_ACCESS_KEY" .existingSecret .secretAccessKeyKey) }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.objectStore.ca }}
{{- if .existingSecret }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/assay/object-store/{{ .key }}
{{- end }}
{{- end }}
{{- end -}}
