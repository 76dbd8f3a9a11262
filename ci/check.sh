#!/usr/bin/env bash
# Runs `cilantro check` in a job and leaves what its service shows: check.sh github|gitlab|azure.
#
# What is looked at is CHECK_PROJECT (an assembly, a project, a solution or a folder). CHECK_SINCE is for --since, CHECK_STRICT=true
# lets an incomplete answer fail the job, CHECK_REPORTS is the folder of the reports, CHECK_ARGUMENTS are further options, divided by
# spaces. Every other option has its variable (CILANTRO_TIMEOUT, CILANTRO_FAIL_ON) or its place in cilantro.toml.
set -euo pipefail

service="${1:?say github, gitlab or azure}"
reports="${CHECK_REPORTS:-cilantro-reports}"
mkdir -p "$reports"
page="$reports/summary.md"

arguments=(check "${CHECK_PROJECT:-.}" --source-root . --report "markdown=$page" --report "json=$reports/summary.json")
case "$service" in
    github) arguments+=(--format github --report "sarif=$reports/cilantro.sarif") ;;
    gitlab) arguments+=(--report "gitlab=$reports/code-quality.json" --report "junit=$reports/junit.xml") ;;
    azure) arguments+=(--report "junit=$reports/junit.xml" --report "sarif=$reports/cilantro.sarif") ;;
    *) echo "there is no service $service; there are github, gitlab and azure" >&2; exit 2 ;;
esac
if [[ -n "${CHECK_SINCE:-}" ]]; then
    arguments+=(--since "$CHECK_SINCE")
fi
read -r -a further <<<"${CHECK_ARGUMENTS:-}"
arguments+=(${further[@]+"${further[@]}"})

code=0
cilantro "${arguments[@]}" || code=$?

if [[ -f "$page" ]]; then
    case "$service" in
        github) [[ -z "${GITHUB_STEP_SUMMARY:-}" ]] || cat "$page" >>"$GITHUB_STEP_SUMMARY" ;;
        azure) echo "##vso[task.uploadsummary]$(cd "$reports" && pwd)/summary.md" ;;
    esac
fi
if [[ "$service" == github && -n "${GITHUB_OUTPUT:-}" ]]; then
    printf 'reports=%s\nexit-code=%s\n' "$reports" "$code" >>"$GITHUB_OUTPUT"
fi

# An incomplete answer is the usual one for a large library: it is told, and no reason to stop anybody.
if [[ "$code" == 3 && "${CHECK_STRICT:-false}" != true ]]; then
    code=0
fi
exit "$code"
