{{/* assay.cpuScaling (list "assay-api" $autoscaling): the spec of a HorizontalPodAutoscaler. */}}
{{- define "assay.cpuScaling" -}}
{{- $autoscaling := index . 1 -}}
scaleTargetRef:
  apiVersion: apps/v1
  kind: Deployment
  name: {{ index . 0 }}
minReplicas: {{ $autoscaling.minReplicas }}
maxReplicas: {{ $autoscaling.maxReplicas }}
metrics:
  - type: Resource
    resource:
      name: cpu
      target:
        type: Utilization
        averageUtilization: {{ $autoscaling.targetCPUUtilizationPercentage }}
{{- end -}}

{{/* assay.disruptionBudget (list $ $settings "worker-video") */}}
{{- define "assay.disruptionBudget" -}}
{{- $root := index . 0 -}}
{{- $settings := index . 1 -}}
{{- if $settings.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "assay.fullname" $root }}-{{ index . 2 }}
  labels:
    {{- include "assay.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ index . 2 }}
spec:
  maxUnavailable: {{ $settings.podDisruptionBudget.maxUnavailable }}
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "assay.selectorLabels" $root | nindent 6 }}
      app.kubernetes.io/component: {{ index . 2 }}
{{- end }}
{{- end -}}
