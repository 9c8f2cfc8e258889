{{- define "assay.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 32 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 32 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 32 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "assay.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "assay.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "assay.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "assay.labels" -}}
{{ include "assay.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* assay.image (list $ "api" $tag): $tag wins over a digest, and a digest over a tag. */}}
{{- define "assay.image" -}}
{{- $root := index . 0 -}}
{{- $image := index $root.Values.images (index . 1) -}}
{{- $tag := index . 2 -}}
{{- $name := printf "%s/%s" (trimSuffix "/" $root.Values.images.registry) $image.name | trimPrefix "/" -}}
{{- if $tag -}}
{{ $name }}:{{ $tag }}
{{- else if $image.digest -}}
{{ $name }}@{{ $image.digest }}
{{- else -}}
{{ $name }}:{{ default $root.Chart.AppVersion $image.tag }}
{{- end -}}
{{- end -}}

{{/* assay.workers: JSON of the workers, each with the defaults filled in. */}}
{{- define "assay.workers" -}}
{{- $workers := list -}}
{{- range .Values.workers -}}
{{- $workers = append $workers (mergeOverwrite (deepCopy $.Values.workerDefaults) (deepCopy .)) -}}
{{- end -}}
{{- $workers | toJson -}}
{{- end -}}
