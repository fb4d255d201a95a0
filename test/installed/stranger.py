"""A stranger who has a release, openssl, and nothing of the project: on a first machine, and on a second one that is
given the backup of the first.

usage: stranger.py FOLDER RESULTS
FOLDER has the releases 1.0.0 and 1.0.1, and commands/ from the documents. The second machine finds backup/ there.
"""

import json
import os
import shutil

from story import FOLDER, RESULTS, Terminal, end, has, punches, run, runs, same, step, until, write

COMMANDS = f"{FOLDER}/commands"
BACKUP = f"{FOLDER}/backup"


def shell(name, folder, status=0):
    """The commands of a document, in a folder."""
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    return run("bash", "-euo", "pipefail", f"{COMMANDS}/{name}.sh", status=status)


def download(version):
    """What somebody downloads of a release who wants the package and the update."""
    folder = f"/root/{version}"
    os.makedirs(folder)
    names = [name for name in os.listdir(f"{FOLDER}/{version}") if "arm64" not in name and "linux" not in name]
    for name in names:
        shutil.copy(f"{FOLDER}/{version}/{name}", folder)
    return folder


def flip(path):
    with open(path, "r+b") as file:
        file.seek(100)
        byte = file.read(1)[0]
        file.seek(100)
        file.write(bytes([byte ^ 1]))


def verifies():
    folder = download("1.0.0")
    fingerprint = has(shell("fingerprint", folder), "(?i)sha256 fingerprint")
    said = has(shell("verify", folder), "Verification successful", r"gatehouse_1\.0\.0_amd64\.deb: OK")
    for name in ("SHA256SUMS", "SHA256SUMS.sig", "gatehouse_1.0.0_amd64.deb"):
        flip(f"{folder}/{name}")
        shell("verify", folder, status=1)
        flip(f"{folder}/{name}")
    shell("verify", folder)
    return f"{fingerprint}\n{said}"


def installs():
    run("dpkg", "-i", "/root/1.0.0/gatehouse_1.0.0_amd64.deb")
    runs()
    return has(run("gatehouse", "version"), r"gatehouse 1\.0\.0")


def first_punch():
    shell("site", "/root/first")
    shell("punch", "/root/first")
    has(shell("look", "/root/first"), "Li Mei", "running, version 1.0.0")
    return same("check-ins", len(punches()), 1)


def backs_up():
    shell("backup", "/root/first")
    for name in ("gatehouse-backup.gh", "gatehouse-recovery-key.txt"):
        shutil.copy(f"/root/{name}", RESULTS)
    write(f"{RESULTS}/check-ins.json", json.dumps(punches()))
    return os.path.getsize("/root/gatehouse-backup.gh")


def accepts_updates():
    return shell("accept", "/root/1.0.0")


def outcome(wanted):
    until(f"the update is {wanted}", ["sh", "-c", f"gatehouse update --status | grep -q '{wanted}'"], seconds=1200)
    return run("gatehouse", "update", "--status")


terminal = Terminal(key="key-of-plant-4-2026")


def holds_all():
    """The first punch, and every one that the terminal was told is on disk, each once."""
    return same("check-ins", punches()[:-1], sorted(terminal.acknowledged)) and len(terminal.acknowledged)


def updates():
    folder = download("1.0.1")
    has(shell("verify", folder), r"gatehouse-program-1\.0\.1-x64\.raucb: OK")
    terminal.start()
    terminal.until_acknowledged(10)
    run("gatehouse", "update", f"{folder}/gatehouse-program-1.0.1-x64.raucb", "--yes")
    until("1.0.1 runs", ["sh", "-c", "gatehouse status | grep -q 'version 1.0.1'"], seconds=1200)
    run("systemctl", "kill", "--signal=KILL", "gatehouse")
    said = outcome("good")
    has(run("gatehouse", "version"), r"gatehouse 1\.0\.1")
    terminal.until_acknowledged(10)
    return said


def rolls_back():
    run("gatehouse", "update", "--rollback", "--yes")
    until("1.0.0 runs", ["sh", "-c", "gatehouse status | grep -q 'version 1.0.0'"], seconds=1200)
    terminal.until_acknowledged(10)
    terminal.ended.set()
    terminal.join(90)
    return {"check-ins": holds_all(), "tried again": terminal.refused, "said": run("gatehouse", "update", "--status")}


def restores():
    shutil.copy(f"{BACKUP}/gatehouse-backup.gh", "/root")
    shutil.copy(f"{BACKUP}/gatehouse-recovery-key.txt", "/root")
    run("systemctl", "stop", "gatehouse")
    said = run("gatehouse", "restore", "/root/gatehouse-backup.gh", "--recovery-key-file",
               "/root/gatehouse-recovery-key.txt", "--yes")
    run("systemctl", "start", "gatehouse")
    runs()
    with open(f"{BACKUP}/check-ins.json") as file:
        same("check-ins", punches(), json.load(file))
    shell("punch", "/root/first")
    same("check-ins", len(punches()), 2)
    return said


step("verifies the list with openssl alone, and finds each changed byte", verifies)
step("installs the package, and its service runs", installs)
if not os.path.exists(BACKUP):
    step("sends a first punch by the document", first_punch)
    step("makes a recovery key and a backup", backs_up)
    step("accepts the updates of this maker", accepts_updates)
    step("updates to 1.0.1 while a terminal punches; a kill does not keep it from proving itself", updates)
    step("rolls back to 1.0.0, which has all of it", rolls_back)
else:
    step("restores the backup on a second machine, where devices go on", restores)
end()
