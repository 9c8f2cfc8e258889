{{/* Link-local addresses are left out: credentials of the node are served there. */}}
{{- define "assay.dependencyEgress" -}}
- ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
- to:
    - ipBlock: { cidr: 0.0.0.0/0, except: [169.254.0.0/16] }
    - ipBlock: { cidr: "::/0", except: ["fe80::/10"] }
  ports:
    {{- range .Values.networkPolicy.egressPorts }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- with .Values.networkPolicy.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Receivers of webhooks are on the public Internet or in WEBHOOK_ALLOWED_CIDRS, at any port. */}}
{{- define "assay.webhookEgress" -}}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except: [10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16]
    - ipBlock: { cidr: "2000::/3" }
    {{- range splitList "," (default "" .Values.config.WEBHOOK_ALLOWED_CIDRS) }}
    {{- with trim . }}
    - ipBlock: { cidr: {{ ternary . (printf "%s/%s" . (ternary "128" "32" (contains ":" .))) (contains "/" .) | quote }} }
    {{- end }}
    {{- end }}
  ports:
    - { protocol: TCP, port: 1, endPort: 65535 }
{{- end -}}

{{- define "assay.metricsIngress" -}}
- ports:
    - { protocol: TCP, port: metrics }
  {{- with .metricsFrom }}
  from:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
