#!/bin/sh
# Counts to $1 on standard error, with $2 seconds for each step, as a training with a progress bar does; ends with status
# $3. It says on standard output that it has begun, and on Ctrl+C that it ends.
trap 'echo "asked to end"; exit 0' INT
echo "counting in $(pwd)"
i=0
while [ "$i" -lt "$1" ]; do
    i=$((i + 1))
    printf '\rstep %d/%d' "$i" "$1" >&2
    sleep "$2"
done
echo >&2
exit "${3:-0}"
