"""How a story is told in the machine (test/radio/machine.ts): each step leaves one JSON line in RESULTS/steps.jsonl.

usage of a story: STORY.py FOLDER RESULTS
"""

import json
import re
import subprocess
import sys
import time
import traceback

FOLDER, RESULTS = sys.argv[1:3]
# After that no step is begun: the logs are worth more than what a story that goes wrong has yet to say.
DEADLINE = time.monotonic() + 40 * 60

results = open(f"{RESULTS}/steps.jsonl", "a", buffering=1)
failed = 0


def step(name, body):
    """Runs one step; the story goes on after one that failed, as the next may well tell why."""
    global failed
    if time.monotonic() > DEADLINE:
        print(f"--- no time left for: {name}", flush=True)
        return
    print(f"--- {name}", flush=True)
    start = time.monotonic()
    try:
        detail, ok = body(), True
    except Exception as error:  # noqa: BLE001 - whatever it was, it is the step's result
        detail, ok = f"{type(error).__name__}: {error}\n{traceback.format_exc()}", False
        failed += 1
    seconds = round(time.monotonic() - start, 1)
    results.write(json.dumps({"step": name, "ok": ok, "detail": detail, "seconds": seconds}) + "\n")
    print(f"    {'ok' if ok else 'failed'} after {seconds} s: {detail}", flush=True)


def run(*words, user=None, status=0):
    """What a command said on both outputs; its exit status has to be `status`, or one that is not 0."""
    words = (["runuser", "-u", user, "--"] if user else []) + list(words)
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    said = (done.stdout + done.stderr).strip()
    if (done.returncode != 0) if status == 0 else (done.returncode == 0):
        raise AssertionError(f"{' '.join(words)} ended with {done.returncode}: {said}")
    return said


def has(said, *parts):
    for part in parts:
        if not re.search(part, said):
            raise AssertionError(f"{part!r} is not in: {said}")
    return said


def until(what, look, seconds=600):
    end = time.monotonic() + seconds
    while True:
        said = subprocess.run(look, capture_output=True, text=True)
        if said.returncode == 0:
            return (said.stdout + said.stderr).strip()
        if time.monotonic() > end:
            raise AssertionError(f"{what} within {seconds} s: {said.stdout}{said.stderr}")
        time.sleep(1)


def runs():
    """The service is up, and answers root."""
    until("the service is active", ["systemctl", "is-active", "gatehouse"])
    return until("it answers", ["gatehouse", "status"])


def same(what, got, wanted):
    if got != wanted:
        raise AssertionError(f"{what}: {got}, not {wanted}")
    return got


def write(path, text):
    with open(path, "w") as file:
        file.write(text)
    return path


def end():
    sys.exit(1 if failed else 0)
