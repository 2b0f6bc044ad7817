import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('a misspelt name is refused with the name that was meant, and the names of others are not', () => {
  const misspelt = {
    PUBLIC_ULR: 'PUBLIC_URL',
    PUBLIC_URI: 'PUBLIC_URL',
    public_url: 'PUBLIC_URL',
    PUBLICURL: 'PUBLIC_URL',
    STMP_URL: 'SMTP_URL',
    DATADIR: 'DATA_DIR',
    PROT: 'PORT',
    DMEO: 'DEMO',
    RATE_LIMIT: 'RATE_LIMITS',
    STRIPE_SECRET: 'STRIPE_SECRET_KEY',
    TRUSTED_PROXY: 'TRUST_PROXY',
  }
  for (const [name, meant] of Object.entries(misspelt)) {
    const message = `${name}: there is no such setting. Did you mean ${meant}?`
    expect(() => readConfig({ [name]: 'x' }), name).toThrow(message)
    expect(readConfig({ [name]: '' })).toEqual(readConfig({}))
  }
  const others = `HOME PATH PWD OLDPWD SHELL SHLVL TERM USER LOGNAME LANG LC_ALL MAIL TZ TMPDIR EDITOR PAGER DISPLAY HOSTNAME HOSTTYPE
    PORTS POST DEBUG CI GITHUB_ACTIONS GITHUB_TOKEN GITHUB_RUN_ID GITHUB_REPOSITORY GITHUB_REF CI_JOB_ID RUNNER_OS NODE_ENV NODE_OPTIONS
    NODE_EXTRA_CA_CERTS INIT_CWD npm_config_cache npm_config_user_agent npm_lifecycle_event npm_package_name http_proxy HTTPS_PROXY
    NO_PROXY DOCKER_HOST KUBERNETES_PORT KUBERNETES_SERVICE_HOST POSTGRES_PORT SHOP_PORT SHOP_SERVICE_HOST POSTGRES_URL DATABASE_HOST
    DATABASE_PORT DATABASE_URL_UNPOOLED PGHOST PGPORT PGDATABASE AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY INVOCATION_ID
    JOURNAL_STREAM NOTIFY_SOCKET SYSTEMD_EXEC_PID STATE_DIRECTORY RUNTIME_DIRECTORY LISTEN_FDS MEMORY_PRESSURE_WATCH XDG_DATA_DIRS
    XDG_DATA_HOME SSH_CONNECTION SUDO_USER VISUAL OTEL_SERVICE_NAME OTEL_RESOURCE_ATTRIBUTES OTEL_EXPORTER_OTLP_HEADERS
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_EXPORTER_OTLP_PROTOCOL MALLOC_ARENA_MAX MALLOC_TRIM_THRESHOLD_ WORKER WEB_CONCURRENCY
    SystemRoot ProgramData APPDATA LOCALAPPDATA USERPROFILE COMPUTERNAME WINDIR ComSpec`
  for (const name of others.split(/\s+/)) expect(() => readConfig({ [name]: 'x' }), name).not.toThrow()
})
