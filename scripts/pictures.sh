#!/usr/bin/env bash
# The pictures of README.md, made anew. Usage: pictures.sh CORDON WORK_DIR
# The dashboard is the screenshot of a test; the recording is a run of the demonstration.
set -euo pipefail
cordon=$(realpath "$1") work=$(realpath -m "$2")
cd "$(dirname "$0")/.."
CORDON_WEB_TESTS=approvals_test.mjs tests/web/run.sh "$work" "$cordon"
cp "$work/screenshots/approvals-command.png" docs/pictures/dashboard.png
scripts/record_demo.py docs/pictures/demo.svg -- demo/agent.py "$cordon"
