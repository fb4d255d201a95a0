"""How a story is told in the machine (test/radio/machine.ts): each step leaves one JSON line in RESULTS/steps.jsonl.

usage of a story: STORY.py FOLDER RESULTS
"""

import hashlib
import http.client
import json
import re
import ssl
import subprocess
import sys
import threading
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


class Terminal(threading.Thread):
    """Punches over HTTPS, one after the other; each again until it is acknowledged, as a terminal does."""

    def __init__(self, key, port=8443):
        super().__init__(daemon=True)
        self.key = key
        self.port = port
        self.begins = int(time.time()) - 86_400
        self.acknowledged = []
        self.refused = []
        self.ended = threading.Event()

    def run(self):
        connection = None
        while not self.ended.is_set():
            try:
                connection, value = connection or self.login()
                number = self.begins + len(self.acknowledged)
                records = [{"ext_id": "e1", "check_type": "fa", "check_time": number}]
                self.say(connection, value, {"mid": f"m{number}", "from": "FACE-T1_A0001", "to": "system",
                                             "time": number, "action": 2001, "data": {"records": records}})
                self.acknowledged.append(number)
                connection = (connection, value)
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.refused.append(repr(error))
                connection = None
                time.sleep(1)

    def login(self):
        device = "FACE-T1_A0001"
        password = hashlib.md5(f"{device}-FACE-T1-{self.key}".encode()).hexdigest()
        trusted = ssl.create_default_context(cafile="/var/lib/gatehouse/tls/ca.pem")
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=trusted, timeout=60)
        body = {"clientId": device, "userName": "FACE-T1", "password": password, "keepAliveTime": 30}
        connection.request("POST", f"/api/connect/{device}", json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise ValueError(f"the login was answered {answer.status}")
        return connection, answer.headers["Authorization"]

    def say(self, connection, value, envelope):
        headers = {"Content-Type": "application/json", "Authorization": value}
        connection.request("POST", f"/api/push/{envelope['from']}", json.dumps(envelope), headers)
        answer = connection.getresponse()
        said = answer.read()
        if answer.status != 200 or json.loads(said)["code"] != 0:
            raise ValueError(f"a punch was answered {answer.status}: {said!r}")

    def until_acknowledged(self, more, seconds=600):
        wanted, end = len(self.acknowledged) + more, time.monotonic() + seconds
        while len(self.acknowledged) < wanted:
            if time.monotonic() > end:
                raise AssertionError(f"{more} punches within {seconds} s: {self.refused[-3:]}")
            time.sleep(0.2)


def punches():
    """The times of all check-ins that the box has, each as often as it has it."""
    lines = run("gatehouse", "export", "--what", "checkins", "--format", "ndjson").splitlines()
    return sorted(json.loads(line)["check_time"] for line in lines if line.startswith("{"))


def end():
    sys.exit(1 if failed else 0)
