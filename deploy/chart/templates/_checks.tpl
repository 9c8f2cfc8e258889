{{/*
The checks return lines. Each line names a setting, what is wrong with it, and what to set. values.schema.json has
already checked names and types.
*/}}
{{- define "assay.problems" -}}
{{- include "assay.requiredProblems" . -}}
{{- include "assay.storageProblems" . -}}
{{- include "assay.connectionProblems" . -}}
{{- include "assay.workerProblems" . -}}
{{- include "assay.variableProblems" . -}}
{{- with .Values.api -}}
{{- include "assay.scalingProblem" (list "api.autoscaling" .autoscaling) -}}
{{- if ge (int .drainSeconds) (int .terminationGracePeriodSeconds) }}
api.drainSeconds: {{ .drainSeconds }} is not less than api.terminationGracePeriodSeconds, so pods would be killed while they serve requests. Set api.terminationGracePeriodSeconds to at least {{ add .drainSeconds 20 }}.
{{- end }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}
ingress.host: is empty. Set it to the host name of the API, or set ingress.enabled to false.
{{- end }}
{{- if and (eq (include "assay.jailLevel" .) "bubblewrap") (semverCompare "<1.33-0" .Capabilities.KubeVersion.Version) }}
jail.level: bubblewrap needs Kubernetes 1.33 or later, and this cluster has {{ .Capabilities.KubeVersion.Version }}. Set jail.level to auto.
{{- end }}
{{- end -}}

{{- define "assay.requiredProblems" -}}
{{- if not .Values.existingSecret }}
existingSecret: is empty. Create a Secret with KEY_PEPPER and WEBHOOK_SECRETS_KEY, and set existingSecret to its name.
{{- end }}
{{- if not .Values.temporal.address }}
temporal.address: is empty. Set it to host:port of Temporal's frontend, such as temporal-frontend.temporal:7233.
{{- end }}
{{- if not .Values.temporal.namespace }}
temporal.namespace: is empty. Set it to the name of a Temporal namespace that exists.
{{- end }}
{{- if not .Values.objectStore.type }}
objectStore.type: is empty. Set it to azure or s3.
{{- end }}
{{- end -}}

{{- define "assay.storageProblems" -}}
{{- with .Values.objectStore -}}
{{- $isAzure := or (eq .type "azure") .azure.account .azure.container -}}
{{- if and $isAzure (not .azure.account) }}
objectStore.azure.account: is empty. Set it to the name of the storage account.
{{- end }}
{{- if and $isAzure (not .azure.container) }}
objectStore.azure.container: is empty. Set it to the name of a container that exists.
{{- end }}
{{- if and (eq .type "s3") (not .s3.bucket) }}
objectStore.s3.bucket: is empty. Set it to the name of a bucket that exists.
{{- end }}
{{- if and .s3.endpoint (not .s3.bucket) (ne .type "s3") }}
objectStore.s3.bucket: is empty, but objectStore.s3.endpoint is set. Set both or neither.
{{- end }}
{{- range $name, $url := dict "azure.url" .azure.url "azure.publicUrl" .azure.publicUrl "s3.endpoint" .s3.endpoint "s3.publicEndpoint" .s3.publicEndpoint }}
{{- if and $url (not (hasPrefix "https://" $url)) }}
objectStore.{{ $name }}: is {{ $url }}. Set an address that begins with https://, because media are sent to it over the network.
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.serviceAccount }}
{{- if and (eq $.Values.objectStore.azure.credentials "identity") .create (not (index (default dict .annotations) "azure.workload.identity/client-id")) }}
objectStore.azure.credentials: is identity, but the service account has no identity. Set serviceAccount.annotations."azure.workload.identity/client-id" to the client ID of a managed identity.
{{- end }}
{{- end }}
{{- end -}}

{{- define "assay.connectionProblems" -}}
{{- range $path, $tls := dict "redis.tls" .Values.redis.tls "temporal.tls" .Values.temporal.tls }}
{{- if and $tls.certKey (not $tls.privateKeyKey) }}
{{ $path }}.privateKeyKey: is empty, but {{ $path }}.certKey is set. Set both, or neither for a connection without a client certificate.
{{- end }}
{{- if and $tls.privateKeyKey (not $tls.certKey) }}
{{ $path }}.certKey: is empty, but {{ $path }}.privateKeyKey is set. Set both, or neither for a connection without a client certificate.
{{- end }}
{{- if and $tls.certKey (not $tls.existingSecret) }}
{{ $path }}.existingSecret: is empty, but {{ $path }}.certKey is set. Set it to the Secret that contains the certificate.
{{- end }}
{{- end }}
{{- with .Values.temporal.tls }}
{{- if and (not .enabled) (or .existingSecret .serverName) }}
temporal.tls.enabled: is false, but temporal.tls.{{ ternary "existingSecret" "serverName" (ne .existingSecret "") }} is set. Set temporal.tls.enabled to true.
{{- end }}
{{- if and .existingSecret (not .caKey) (not .certKey) }}
temporal.tls.caKey: is empty, and so is temporal.tls.certKey. Set the keys of temporal.tls.existingSecret to use, such as caKey: ca.crt.
{{- end }}
{{- if and .caKey (not .existingSecret) }}
temporal.tls.existingSecret: is empty, but temporal.tls.caKey is set. Set it to the Secret that contains the CA.
{{- end }}
{{- end }}
{{- end -}}

{{- define "assay.workerProblems" -}}
{{- $names := list -}}
{{- $queues := list -}}
{{- $usesKeda := false -}}
{{- range $worker := include "assay.workers" . | fromJsonArray }}
{{- if has $worker.name $names }}
workers: two entries have the name {{ $worker.name }}. Set a different name for each.
{{- end }}
{{- $names = append $names $worker.name }}
{{- range $worker.queues }}
{{- $queues = append $queues (splitList ":" . | first) }}
{{- end }}
{{- include "assay.scalingProblem" (list (printf "workers[%s].autoscaling" $worker.name) $worker.autoscaling) }}
{{- if eq $worker.autoscaling.type "keda" }}
{{- $usesKeda = true }}
{{- end }}
{{- end }}
{{- range $queue := list "control" "sandbox" "video" "audio" "image" "document" "webhook" }}
{{- if not (has $queue $queues) }}
workers: no entry serves the queue {{ $queue }}, so its work would wait forever. Add {{ $queue }} to the queues of an entry.
{{- end }}
{{- end }}
{{- with .Values.temporal }}
{{- if and $usesKeda .tls.enabled (not .tls.certKey) (not .apiKey.enabled) }}
workers: autoscaling.type keda uses TLS only with an API key or a client certificate. Set temporal.apiKey.enabled or temporal.tls.certKey, or set autoscaling.type to cpu.
{{- end }}
{{- end }}
{{- end -}}

{{- define "assay.scalingProblem" -}}
{{- $autoscaling := index . 1 -}}
{{- if gt (int $autoscaling.minReplicas) (int $autoscaling.maxReplicas) }}
{{ index . 0 }}.maxReplicas: {{ $autoscaling.maxReplicas }} is less than minReplicas. Set it to at least {{ $autoscaling.minReplicas }}.
{{- end }}
{{- end -}}

{{- define "assay.variableProblems" -}}
{{- $sources := .Files.Get "files/variables.yaml" | fromYaml -}}
{{- range $name, $_ := .Values.config }}
{{- $source := get $sources $name }}
{{- if not $source }}
config.{{ $name }}: is not a setting of Assay. Set one of the variables in docs/operate/configuration.md, or use extraEnv.
{{- else if ne $source "config" }}
config.{{ $name }}: cannot be set here. Set {{ $source }}.
{{- end }}
{{- end }}
{{- range .Values.extraEnv }}
{{- $source := get $sources .name }}
{{- if $source }}
extraEnv: {{ .name }} cannot be set here. Set {{ ternary (printf "config.%s" .name) $source (eq $source "config") }}.
{{- end }}
{{- end }}
{{- end -}}
