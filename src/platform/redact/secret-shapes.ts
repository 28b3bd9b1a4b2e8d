/**
 * Keys with a known form, each with its name. Each is only searched for at the beginning of a run
 * of characters, which keeps the work on hostile text linear.
 */
export const KEY_SHAPES: Array<[RegExp, string]> = [
  [/(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g, 'AWS access key'],
  [/(?<!\w)gh[pousr]_[A-Za-z0-9]{16,}/g, 'GitHub token'],
  [/(?<!\w)github_pat_\w{16,}/g, 'GitHub token'],
  [/(?<![\w-])gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-[\w.-]{16,}/g, 'GitLab token'],
  [/(?<![\w-])xox[a-z](?:\.xox[a-z])?-[\w-]{10,}/g, 'Slack token'],
  [/(?<![\w-])xapp-\d-[\w-]{10,}/g, 'Slack token'],
  [/(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{16,}/g, 'Slack webhook'],
  [/(?<=discord(?:app)?\.com\/api\/webhooks\/)\d+\/[\w-]{16,}/g, 'Discord webhook'],
  [/(?<![\w:])\d{8,10}:AA[\w-]{30,}/g, 'Telegram token'],
  [/(?<!\w)[sr]k_(?:live|test)_[A-Za-z0-9]{10,}/g, 'Stripe key'],
  [/(?<![\w-])sk-ant-[\w-]{16,}/g, 'Anthropic key'],
  [/(?<![\w-])sk-or-[\w-]{16,}/g, 'OpenRouter key'],
  [/(?<![\w-])sk-(?:proj|svcacct|admin)-[\w-]{16,}/g, 'OpenAI key'],
  [/(?<![\w-])sk-[A-Za-z0-9]{20,}/g, 'API key'],
  [/(?<![\w-])AIza[\w-]{30,}/g, 'Google key'],
  [/(?<![\w-])ya29\.[\w-]{20,}/g, 'Google token'],
  [/(?<![\w-])GOCSPX-[\w-]{20,}/g, 'Google secret'],
  [/(?<!\w)npm_[A-Za-z0-9]{30,}/g, 'npm token'],
  [/(?<![\w-])pypi-AgE[\w-]{16,}/g, 'PyPI token'],
  [/(?<!\w)hf_[A-Za-z0-9]{30,}/g, 'Hugging Face token'],
  [/(?<![\w.])SG\.[\w-]{16,}\.[\w-]{16,}/g, 'SendGrid key'],
  [/(?<!\w)SK[0-9a-f]{32}(?!\w)/g, 'Twilio key'],
  // Also takes the characters after the hexadecimal digits: another key may follow directly, and
  // would no longer be recognised.
  [/(?<!\w)do[oprt]_v1_[0-9a-f]{32,}[\w-]*/g, 'DigitalOcean token'],
  [/(?<!\w)dckr_pat_[\w-]{20,}/g, 'Docker token'],
  [/(?<!\w)shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}[\w-]*/g, 'Shopify token'],
  [/(?<!\w)glsa_\w{32,}/g, 'Grafana token'],
  [/(?<!\w)gsk_[A-Za-z0-9]{30,}/g, 'API key'],
  [/(?<!\w)lin_api_[A-Za-z0-9]{30,}/g, 'Linear key'],
  [/(?<![\w-])AGE-SECRET-KEY-1[A-Z0-9]{40,}/g, 'private key'],
  [/(?<!\w)bk(?:at|rt|ac|cs)?_[0-9A-Za-z]{32,}/g, 'Beckon token'],
  [/(?<!\w)whsec_[A-Za-z0-9+/=_-]{20,}/g, 'webhook secret'],
  [/(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?(?:\.[\w-]+)*/g, 'JWT'],
]
