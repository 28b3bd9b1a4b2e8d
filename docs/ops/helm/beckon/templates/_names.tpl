{{- define "beckon.labels" -}}
app.kubernetes.io/name: beckon
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "beckon.secret" -}}
{{- .Values.database.existingSecret | default (printf "%s-database" .Release.Name) }}
{{- end }}
