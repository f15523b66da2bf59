#!/usr/bin/env bash
# Plays what SCENARIOS or SWEEP name, and writes the outputs and the summary of the step. Its exit
# code is skewsim's.
set -euo pipefail
PATH=$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)/bin:$PATH
out=$RUNNER_TEMP/skewsim
read -ra scenarios <<<"$SCENARIOS"

problem() { echo "::error title=skewsim::$1"; echo verdict=error >>"$GITHUB_OUTPUT"; exit 2; }

if [[ -n $SWEEP ]]; then
	[[ -z $SCENARIOS$PAIRS ]] || problem 'give scenarios, with or without pairs, or sweep'
	command=(sweep --out "$out" ${WEBHOOKS:+--webhooks "$WEBHOOKS"} ${FAIL_ON:+--fail-on "$FAIL_ON"} -- "$SWEEP")
else
	[[ -n $SCENARIOS ]] || problem 'give scenarios or sweep'
	case $FAIL_ON in
	'' | impacts) impacts=fail ;;
	violations) impacts=allow ;;
	*) problem 'fail-on: of scenarios it is impacts or violations' ;;
	esac
	case $PAIRS in
	'') command=(run) ;;
	*,*)
		[[ -z ${WEBHOOKS:-} ]] || problem 'webhooks: give one pair'
		command=(matrix --pairs "$PAIRS")
		;;
	*) command=(run --pair "$PAIRS") ;;
	esac
	command+=(--impacts "$impacts" --out "$out" ${WEBHOOKS:+--webhooks "$WEBHOOKS"} -- "${scenarios[@]}")
fi
code=0
skewsim "${command[@]}" || code=$?
verdicts=(pass fail error unknown)
{
	echo "verdict=${verdicts[code]:-unknown}"
	echo "report=$out"
} >>"$GITHUB_OUTPUT"
# GitHub refuses a summary of more than a MiB.
{ find "$out" -maxdepth 3 -name '*.md' -not -path '*/logs/*' -exec cat {} + 2>/dev/null || true; } | head -c 1000000 >>"$GITHUB_STEP_SUMMARY"
exit "$code"
