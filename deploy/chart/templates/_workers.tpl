{{/*
assay.scratchSize $worker: the space for the largest files of its queues that it examines at once, and 1 GiB more. The
sizes are those of packages/contract/src/limits.ts in MiB, the numbers at once the defaults of the service.
*/}}
{{- define "assay.scratchSize" -}}
{{- if .scratch.sizeLimit -}}
{{ .scratch.sizeLimit }}
{{- else -}}
{{- $sizes := dict "video" 5120 "audio" 500 "image" 50 "document" 100 -}}
{{- $counts := dict "video" 1 "audio" 2 "image" 4 "document" 4 -}}
{{- $total := 1024 -}}
{{- range .queues -}}
{{- $name := splitList ":" . | first -}}
{{- if hasKey $sizes $name -}}
{{- $count := int (get $counts $name) -}}
{{- if contains ":" . -}}
{{- $count = splitList ":" . | last | int -}}
{{- end -}}
{{- $total = add $total (mul $count (get $sizes $name)) -}}
{{- end -}}
{{- end -}}
{{ $total }}Mi
{{- end -}}
{{- end -}}

{{/* Without quotes, YAML makes false of off. */}}
{{- define "assay.jailLevel" -}}
{{ default "off" .Values.jail.level }}
{{- end -}}

{{/* The filter for system calls and what else bubblewrap needs. The other levels need nothing beyond the defaults. */}}
{{- define "assay.workerSecurityContext" -}}
{{ include "assay.containerSecurityContext" . }}
{{- if eq (include "assay.jailLevel" .) "bubblewrap" }}
procMount: Unmasked
seccompProfile:
  type: Localhost
  localhostProfile: {{ .Values.jail.bubblewrap.seccompProfile }}
{{- end }}
{{- end -}}

{{- define "assay.hasKedaCredentials" -}}
{{- with .Values.temporal -}}
{{- if or .apiKey.enabled (and .tls.enabled .tls.certKey) -}}yes{{- end -}}
{{- end -}}
{{- end -}}
