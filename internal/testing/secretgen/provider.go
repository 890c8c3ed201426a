package secretgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

const (
	caps    = uppers + digits
	lowNum  = lowers + digits
	wordy   = alnum + "_"
	capsHex = "0123456789ABCDEF"
)

// A part of a token: n bytes of an alphabet, or the text itself if n is 0.
type part struct {
	n    int
	from string
}

// A provider is a service with the form of its keys, according to its documentation.
type provider struct {
	name  string
	parts []part
}

func lit(s string) part         { return part{0, s} }
func many(n int, a string) part { return part{n, a} }
func uuid() []part {
	return []part{
		many(8, hexa), lit("-"), many(4, hexa), lit("-4"), many(3, hexa), lit("-a"), many(3, hexa),
		lit("-"), many(12, hexa),
	}
}
func with(parts ...part) []part { return parts }

// behind returns a literal followed by a UUID.
func behind(s string) []part { return append([]part{lit(s)}, uuid()...) }

// providers are services whose keys can be recognized by their form.
var providers = []provider{
	{"Anthropic", with(lit("sk-ant-api03-"), many(93, urlSafe), lit("AA"))},
	{"Anthropic, OAuth", with(lit("sk-ant-oat01-"), many(86, urlSafe), lit("-"), many(8, alnum))},
	{"OpenAI, project", with(lit("sk-proj-"), many(74, urlSafe), lit("T3BlbkFJ"), many(74, urlSafe))},
	{"OpenAI, service", with(lit("sk-svcacct-"), many(58, urlSafe), lit("T3BlbkFJ"), many(58, urlSafe))},
	{"OpenRouter", with(lit("sk-or-v1-"), many(64, hexa))},
	{"Groq", with(lit("gsk_"), many(52, alnum))},
	{"xAI", with(lit("xai-"), many(80, alnum))},
	{"Cerebras", with(lit("csk-"), many(48, lowNum))},
	{"DeepSeek", with(lit("sk-"), many(32, hexa))},
	{"Perplexity", with(lit("pplx-"), many(48, alnum))},
	{"Fireworks", with(lit("fw_"), many(22, alnum))},
	{"Together", with(lit("tgp_v1_"), many(43, urlSafe))},
	{"Hugging Face", with(lit("hf_"), many(34, letters))},
	{"Replicate", with(lit("r8_"), many(37, alnum))},
	{"ElevenLabs", with(lit("sk_"), many(48, hexa))},
	{"Jina", with(lit("jina_"), many(60, alnum))},
	{"Tavily", with(lit("tvly-dev-"), many(32, alnum))},
	{"Voyage", with(lit("pa-"), many(43, urlSafe))},
	{"Pinecone", with(lit("pcsk_"), many(6, alnum), lit("_"), many(63, alnum))},
	{"E2B", with(lit("e2b_"), many(40, hexa))},
	{"Langfuse", behind("sk-lf-")},
	{"LangSmith", with(lit("lsv2_pt_"), many(32, hexa), lit("_"), many(10, hexa))},
	{"Azure OpenAI", with(many(52, alnum), lit("JQQJ99"), many(26, alnum))},
	{"Google, API", with(lit("AIza"), many(35, urlSafe))},
	{"Google, access token", with(lit("ya29.a0"), many(160, urlSafe))},
	{"Google, service account token", with(lit("ya29.c."), many(240, urlSafe), lit("."), many(90, urlSafe))},
	{"Google, OAuth secret", with(lit("GOCSPX-"), many(28, urlSafe))},
	{"AWS", with(lit("AKIA"), many(16, base32))},
	{"AWS, temporary", with(lit("ASIA"), many(16, base32))},
	{"AWS AppSync", with(lit("da2-"), many(26, lowNum))},
	{"Cloudflare", with(lit("cfut_"), many(48, alnum))},
	{"DigitalOcean", with(lit("dop_v1_"), many(64, hexa))},
	{"Render", with(lit("rnd_"), many(32, alnum))},
	{"Netlify", with(lit("nfp_"), many(36, alnum))},
	{"Vercel", with(lit("vcp_"), many(56, alnum))},
	{"Fly", with(lit("fm2_lJPE"), many(320, base64))},
	{"Heroku", with(lit("HRKU-AA"), many(58, urlSafe))},
	{"Supabase", with(lit("sbp_"), many(40, hexa))},
	{"Neon", with(lit("napi_"), many(64, lowNum))},
	{"PlanetScale", with(lit("pscale_tkn_"), many(43, urlSafe))},
	{"MongoDB Atlas", with(lit("mdb_sa_sk_"), many(40, urlSafe))},
	{"GitHub", with(lit("ghp_"), many(36, alnum))},
	{"GitHub, fine-grained", with(lit("github_pat_"), many(22, alnum), lit("_"), many(59, alnum))},
	{"GitHub, refresh", with(lit("ghr_"), many(76, alnum))},
	{"GitLab", with(lit("glpat-"), many(20, urlSafe))},
	{"Bitbucket, app password", with(lit("ATBB"), many(24, alnum), many(8, capsHex))},
	{"Bitbucket, access token", with(lit("ATCTT3xFfG"), many(180, urlSafe), lit("="), many(8, capsHex))},
	{"CircleCI", with(lit("CCIPAT_"), many(22, alnum), lit("_"), many(40, hexa))},
	{"Buildkite", with(lit("bkua_"), many(40, hexa))},
	{"SonarQube", with(lit("squ_"), many(40, hexa))},
	{"Snyk", with(lit("snyk_uat."), many(8, hexa), lit("."), many(64, urlSafe))},
	{"npm", with(lit("npm_"), many(36, alnum))},
	{"PyPI", with(lit("pypi-AgEIcHlwaS5vcmc"), many(140, urlSafe))},
	{"crates.io", with(lit("cio"), many(32, alnum))},
	{"NuGet", with(lit("oy2"), many(43, lowNum))},
	{"RubyGems", with(lit("rubygems_"), many(48, hexa))},
	{"Docker", with(lit("dckr_pat_"), many(27, urlSafe))},
	{"Doppler", with(lit("dp.st.prd."), many(40, alnum))},
	{"Doppler, personal", with(lit("dp.pt."), many(43, alnum))},
	{"Vault", with(lit("hvs."), many(95, urlSafe))},
	{"Infisical", with(lit("st."), many(24, hexa), lit("."), many(32, hexa), lit("."), many(32, hexa))},
	{"Tailscale", with(lit("tskey-auth-k"), many(11, alnum), lit("CNTRL-"), many(32, alnum))},
	{"Terraform Cloud", with(many(14, alnum), lit(".atlasv1."), many(67, alnum))},
	{"Pulumi", with(lit("pul-"), many(40, hexa))},
	{"Databricks", with(lit("dapi"), many(32, hexa))},
	{"dbt", with(lit("dbtc_"), many(40, alnum))},
	{"Grafana", with(lit("glsa_"), many(32, alnum), lit("_"), many(8, hexa))},
	{"New Relic", with(lit("NRAK-"), many(27, caps))},
	{"New Relic, licence", with(many(36, hexa), lit("NRAL"))},
	{"Honeycomb", with(lit("hcxik_"), many(58, lowNum))},
	{"Sentry", with(lit("sntryu_"), many(64, hexa))},
	{"PostHog", with(lit("phx_"), many(43, alnum))},
	{"LaunchDarkly", behind("sdk-")},
	{"Statsig", with(lit("secret-"), many(44, alnum))},
	{"Slack", with(lit("xoxb-"), many(12, digits), lit("-"), many(13, digits), lit("-"), many(24, alnum))},
	{"Telegram", with(many(10, digits), lit(":AAH"), many(32, urlSafe))},
	{"Notion", with(lit("ntn_"), many(11, digits), many(35, alnum))},
	{"Notion, old", with(lit("secret_"), many(43, alnum))},
	{"Linear", with(lit("lin_api_"), many(40, alnum))},
	{"Figma", with(lit("figd_"), many(40, urlSafe))},
	{"Asana", with(lit("2/12"), many(14, digits), lit("/12"), many(14, digits), lit(":"), many(32, hexa))},
	{"ClickUp", with(lit("pk_"), many(8, digits), lit("_"), many(32, caps))},
	{"HubSpot", behind("pat-na1-")},
	{"Stripe", with(lit("sk_live_51"), many(97, alnum))},
	{"Stripe, webhook", with(lit("whsec_"), many(32, alnum))},
	{"Razorpay", with(lit("rzp_live_"), many(14, alnum))},
	{"Paddle", with(lit("pdl_live_apikey_"), many(26, lowNum), lit("_"), many(22, alnum), lit("_"), many(3, alnum))},
	{"Shopify", with(lit("shpat_"), many(32, hexa))},
	{"Resend", with(lit("re_"), many(8, alnum), lit("_"), many(24, alnum))},
	{"SendGrid", with(lit("SG."), many(22, urlSafe), lit("."), many(43, urlSafe))},
	{"Brevo", with(lit("xkeysib-"), many(64, hexa), lit("-"), many(16, alnum))},
	{"OneSignal", with(lit("os_v2_app_"), many(103, lowers+"234567"))},
	{"Twilio", with(lit("SK"), many(32, hexa))},
	{"Mapbox", with(lit("sk.eyJ1Ijoi"), many(70, alnum), lit("."), many(22, urlSafe))},
	{"Contentful", with(lit("CFPAT-"), many(43, urlSafe))},
	{"Riot", behind("RGAPI-")},
	{"Trigger.dev", with(lit("tr_prod_"), many(24, alnum))},
	{"Inngest", with(lit("signkey-prod-"), many(64, hexa))},
	{"Retool", with(lit("retool_01"), many(24, lowNum))},
	{"Cursor", with(lit("key_"), many(64, hexa))},
	{"1Password", with(lit("ops_eyJ"), many(300, alnum))},
}

// hooks are addresses that are secrets: the parts of the address, and of the secret in it.
var hooks = []struct {
	name, before string
	secret       []part
}{
	{"Slack hook", "https://hooks.slack.com/services/", with(lit("T0"), many(9, caps), lit("/B0"), many(9, caps), lit("/"), many(24, alnum))},
	{"Discord hook", "https://discord.com/api/webhooks/", with(many(19, digits), lit("/"), many(68, urlSafe))},
	{"Discord hook, old", "https://discordapp.com/api/webhooks/", with(many(18, digits), lit("/"), many(68, urlSafe))},
	{"Zapier hook", "https://hooks.zapier.com/hooks/catch/", with(many(7, digits), lit("/"), many(7, lowNum))},
	{"Make hook", "https://hook.eu1.make.com/", with(many(32, lowNum))},
	{"Teams flow", "https://prod-12.westeurope.logic.azure.com:443/workflows/0a1b/triggers/manual/paths/invoke?api-version=2016-06-01&sig=", with(many(43, urlSafe))},
	{"signed address of AWS", "https://b.s3.amazonaws.com/x?X-Amz-Expires=900&X-Amz-Signature=", with(many(64, hexa))},
	{"signed address of Azure", "https://x.blob.core.windows.net/c/b?sv=2022-11-02&sig=", with(many(43, alnum), lit("%3D"))},
}

// bares are texts with a token without a name; %s is the token.
var bares = []struct{ name, text string }{
	{"alone", "%s"},
	{"prose", "use %s for now, it ends tomorrow"},
	{"brackets", "the key (%s) works"},
	{"end of a sentence", "It is %s."},
	{"code of Markdown", "Run it with `%s`."},
	{"block of Markdown", "```\n%s\n```\n"},
	{"a link", "[key](%s)"},
	{"bold", "**%s**"},
	{"a row of a table", "| prod | %s | yes |\n"},
	{"CSV", "prod,%s,2026\n"},
	{"an unknown name", "X9=%s\n"},
	{"YAML", "value: %s\n"},
	{"a string", "fetch(\"%s\")\n"},
	{"an array", "[\"a\", '%s', 3]"},
	{"JSON in JSON", `{"a": "{\"v\": \"%s\"}"}`},
	{"an escape", `one\n%s\ntwo`},
	{"HTML", "<td>%s</td>"},
	{"XML", "<v>%s</v>"},
	{"numbered lines", "     7\tx = 1\n     8\t%s\n"},
	{"a diff", "@@ -1 +1 @@\n-old\n+%s\n"},
	{"a log", "2026-05-04T10:11:12Z WARN got %s back\n"},
	{"grep", "src/a.ts:12:  %s\n"},
	{"colours", "\x1b[32m%s\x1b[0m\n"},
	{"a search in colours", "src/a.ts:\x1b[1;31m%s\x1b[m rest\n"},
}

func made(rng *rand.Rand, parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.n == 0 {
			b.WriteString(p.from)
		} else {
			b.WriteString(random(rng, p.n, p.from))
		}
	}
	return b.String()
}

// tokens returns the kinds of providers, in places without a name that marks a secret.
func tokens() []kind {
	var all []kind
	for _, p := range providers {
		all = append(all, bareKind(p.name, "", p.parts))
	}
	return all
}

func webhooks() []kind {
	var all []kind
	for _, h := range hooks {
		all = append(all, bareKind(h.name, h.before, h.secret))
	}
	return all
}

func bareKind(name, before string, parts []part) kind {
	return kind{name, func(rng *rand.Rand) []Sample {
		var all []Sample
		for _, place := range bares {
			secret := made(rng, parts)
			all = append(all, of(rng, place.name, fmt.Sprintf(place.text, before+secret), secret))
		}
		return all
	}}
}
